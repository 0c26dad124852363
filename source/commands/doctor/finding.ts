import {exitCodes} from '../failure.ts';

/** How one thing that was looked at stands. */
export type State = 'ok' | 'note' | 'problem' | 'refused' | 'unreachable' | 'breach';

/** One thing that was looked at. */
export type Finding = {
	readonly state: State;
	/** What was looked at: `key`, `POST /v1/datasets/explore`. */
	readonly subject: string;
	/** What was found, in words. */
	readonly words: string;
	/** How long the answer took. */
	readonly ms?: number | undefined;
	/** Where the contract is broken: the path within the answer, what is expected there, what was found. */
	readonly breaches?: ReadonlyArray<{
		readonly path: string;
		readonly expected: string;
		readonly found: string;
	}>;
};

export type Section = {readonly title: string; readonly findings: readonly Finding[]};

/** What a state comes to, the weightiest first: nothing else can be judged where nothing answers. */
const weights: ReadonlyArray<readonly [State, number]> = [
	['unreachable', exitCodes.unreachable],
	['refused', exitCodes.refused],
	['breach', exitCodes.contract],
	['problem', exitCodes.failed],
];

/** The exit code that findings come to. */
export function exitCodeOf(sections: readonly Section[]): number {
	const states = new Set(sections.flatMap(({findings}) => findings.map(({state}) => state)));
	return weights.find(([state]) => states.has(state))?.[1] ?? exitCodes.fine;
}
