import type {Random} from './random.ts';

/** A person who demonstrates. Their habits are what makes healthy episodes differ in quality. */
export type Operator = {
	readonly name: string;
	/** Factor on the noise of the hand. */
	readonly noise: number;
	/** How often a movement is broken off and taken up again, from 0 to 1. */
	readonly hesitancy: number;
	/** Factor on all times. */
	readonly slowness: number;
};

const ana: Operator = {name: 'ana', noise: 1, hesitancy: 0.08, slowness: 0.95};
const ben: Operator = {name: 'ben', noise: 1.7, hesitancy: 0.25, slowness: 1};
const chi: Operator = {name: 'chi', noise: 2.6, hesitancy: 0.5, slowness: 1.06};

/** Whoever is at it in an episode, more or less fresh. */
export function pickOperator(random: Random): Operator {
	const draw = random.below(3);
	const operator = draw === 0 ? ana : draw === 1 ? ben : chi;
	return {
		...operator,
		noise: operator.noise * random.between(0.8, 1.3),
		hesitancy: operator.hesitancy * random.between(0.6, 1.4),
	};
}
