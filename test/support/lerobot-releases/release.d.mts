/** The registries of a release's stand-in. */
export function registeredIn(release: string): {
	readonly policy: readonly string[];
	readonly reward_model: readonly string[];
};
export const releases: readonly string[];
/** Runs the stand-in of a release within this process. @returns its exit code */
export function run(
	release: string,
	args: readonly string[],
	print: (text: string) => void,
	onlyChecks?: boolean,
): number;
export function main(release: string): void;
