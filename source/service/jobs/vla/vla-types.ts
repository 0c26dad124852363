import type {VlaType} from '../../../contract/vocabulary.ts';
import {act} from './act.ts';
import {gr00t} from './gr00t.ts';
import {otherTypeFacts} from './other-policies.ts';
import {pi0, pi05} from './pi.ts';
import {sarm} from './sarm.ts';
import {smolvla} from './smolvla.ts';
import type {VlaTypeFacts} from './vla-type.ts';

export type {VlaTypeFacts} from './vla-type.ts';

/** The VLA types, with the values and rules of LeRobot's policy configurations. */
export const vlaTypeFacts: Readonly<Record<VlaType, VlaTypeFacts>> = {
	act,
	smolvla,
	pi0,
	pi05,
	gr00t_n1_5: gr00t,
	sarm,
};

export const isVlaType = (type: string): type is VlaType => Object.hasOwn(vlaTypeFacts, type);

/** The facts of one of the interface's types, or of another that LeRobot has. */
export const typeFacts = (type: string): VlaTypeFacts =>
	isVlaType(type) ? vlaTypeFacts[type] : otherTypeFacts(type);
