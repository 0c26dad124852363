/** Where an upload will go, to who looks at the sample. */
export function intoOwnLake(lake: string): string {
	return `It goes into your own lake, ${lake}, not into the sample.`;
}

/** Where an upload is, to who looks at the sample. */
export function seenInOwnLake(lake: string): string {
	return `That is your own lake, not the sample: see it with lakescope --lake ${lake}`;
}
