/** The releases of LeRobot whose rules are known, oldest first; a later one counts as the newest. */
export const releases = ['0.5.1', '0.6.0', '0.6.1', 'newest'] as const;
export type Release = (typeof releases)[number];

/** LeRobot's two registries of what it trains, as its flags spell them. */
export type Registry = 'policy' | 'reward_model';

/** The LeRobot that trains. */
export type Lerobot = {
	/** As its package says; null where only its flags tell which it is. */
	readonly version: string | null;
	readonly release: Release;
	/** The types that it has registered, if its own files can be read; else the release's table counts. */
	readonly configurations: Configurations | undefined;
};

/** The hyperparameters of an installed configuration: Python's type of each, and its default where that is a plain value. */
export type ConfigurationFields = Readonly<
	Record<string, {readonly type: string; readonly default?: unknown}>
>;

/** By registry and type: the fields that a type takes. */
export type Configurations = Readonly<Record<Registry, Readonly<Record<string, ConfigurationFields>>>>;

type Span = {readonly since: Release; readonly until?: Release};

const always: Span = {since: '0.5.1'};
const sinceSix: Span = {since: '0.6.0'};
const untilSix: Span = {since: '0.5.1', until: '0.5.1'};

/** The types that each release has registered. `groot` is N1.5 in the first, and N1.7 since. */
const registered: Readonly<Record<Registry, Readonly<Record<string, Span>>>> = {
	policy: {
		...Object.fromEntries(
			[
				...['act', 'diffusion', 'multi_task_dit', 'vqbet', 'tdmpc', 'smolvla', 'pi0', 'pi05'],
				...['pi0_fast', 'groot', 'xvla', 'wall_x'],
			].map(type => [type, always]),
		),
		...Object.fromEntries(
			['eo1', 'evo1', 'molmoact2', 'vla_jepa', 'fastwam', 'lingbot_va', 'gaussian_actor'].map(type => [
				type,
				sinceSix,
			]),
		),
		sac: untilSix,
		reward_classifier: untilSix,
		sarm: untilSix,
	},
	reward_model: {
		sarm: sinceSix,
		reward_classifier: sinceSix,
		robometer: sinceSix,
		topreward: sinceSix,
	},
};

const positionOf = (release: Release) => releases.indexOf(release);

export const isAtLeast = (release: Release, other: Release): boolean =>
	positionOf(release) >= positionOf(other);

const isWithin = (release: Release, {since, until}: Span) =>
	isAtLeast(release, since) && (until === undefined || isAtLeast(until, release));

/** The release whose rules a version goes by. */
export function releaseOf(version: string): Release {
	const [major = 0, minor = 0, patch = 0] = (version.match(/\d+/g) ?? []).map(Number);
	const number = (major * 1000 + minor) * 1000 + patch;
	if (number < 6000) return '0.5.1';
	if (number < 6001) return '0.6.0';
	return number < 6002 ? '0.6.1' : 'newest';
}

/** The release that has these flags, for a LeRobot whose package cannot be found. */
export function releaseByFlags(has: (flag: string) => boolean): Release {
	if (has('dataset.exclude_episodes')) return 'newest';
	if (has('dataset.repo_type')) return '0.6.1';
	return has('reward_model.type') || has('sample_weighting.type') || has('env_eval_freq') ? '0.6.0' : '0.5.1';
}

/** The release for an unknown LeRobot: the newest one's command line. */
export const unknownLerobot: Lerobot = {version: null, release: 'newest', configurations: undefined};

/** `LeRobot 0.6.1`, for a sentence. */
export const lerobotName = ({version, release}: Lerobot): string =>
	`LeRobot ${version ?? (release === 'newest' ? 'of this machine (newer than 0.6.1)' : release)}`;

/** The registry that a LeRobot has a type in. */
export function registryOf({release, configurations}: Lerobot, type: string): Registry | undefined {
	for (const registry of ['policy', 'reward_model'] as const) {
		const has = configurations
			? Object.hasOwn(configurations[registry], type)
			: isWithin(release, registered[registry][type] ?? {since: 'newest', until: '0.5.1'});
		if (has) return registry;
	}
	return undefined;
}

/** All that a LeRobot has registered. */
export function typesOf(lerobot: Lerobot): readonly {readonly type: string; readonly registry: Registry}[] {
	const names = (registry: Registry) =>
		Object.keys(lerobot.configurations?.[registry] ?? registered[registry]).sort();
	return (['policy', 'reward_model'] as const).flatMap(registry =>
		names(registry).flatMap(type => (registryOf(lerobot, type) === registry ? [{type, registry}] : [])),
	);
}

/** The releases that have a type, in words; undefined where none that is known has it. */
export function releasesWith(type: string): string | undefined {
	const spans = (['policy', 'reward_model'] as const).flatMap(registry => registered[registry][type] ?? []);
	const last = spans.at(-1);
	if (last === undefined) return undefined;
	return last.until === undefined ? `LeRobot ${last.since} and later` : `LeRobot ${last.until}`;
}
