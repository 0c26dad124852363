import {setFlagsFromString} from 'node:v8';

/**
 * Lets the room for young objects grow fourfold at a time instead of twofold. A start makes some 40 MB of them, and the
 * room that V8 begins with is collected ten times over on the way: 20 ms of the explorer's, for which it now takes 6 MB
 * more. The room's greatest size stays what it is.
 */
export function growYoungGeneration(): void {
	setFlagsFromString('--semi-space-growth-factor=4');
}
