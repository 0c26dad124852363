/**
 * For zod's `safeParse`: reads a value as the schema says, without making a function of the schema by `eval` at its first
 * use. For those of a first frame that took 10 ms of every start; a page of 200 episodes reads in 0.7 ms instead of 0.45.
 */
export const interpreted = {jitless: true} as const;
