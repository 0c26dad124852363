/** Plots that stand below one another at most: more are not looked at together. */
export const mostPlots = 12;

const gripper = /grip|finger|claw|hand/i;

const streamOf = (name: string) => name.slice(0, name.indexOf('.'));

/** Channels that a person chose, as `stream.channel`. */
export type ChosenChannels = {
	readonly channels: readonly string[];
	/** For every episode: those that are unlike their siblings in other channels have these drawn too. @default false */
	readonly isPinned?: boolean;
};

/**
 * What is drawn until somebody chooses: the channels in which the episode is unlike its siblings, or else the action's
 * grippers, or else its first channel.
 *
 * @param unlike as the embedded service names them; a channel of the state that the action has too stands beside that.
 */
export function usualChannels(available: readonly string[], unlike: readonly string[]): readonly string[] {
	const odd = oddChannels(available, unlike);
	if (odd.length > 0) return odd;
	const actions = available.filter(name => streamOf(name) === 'action');
	const grippers = actions.filter(name => gripper.test(name));
	return (grippers.length > 0 ? grippers : actions).slice(0, grippers.length > 0 ? 2 : 1);
}

/** The channels in which an episode is unlike its siblings, as they are drawn. */
function oddChannels(available: readonly string[], unlike: readonly string[]): readonly string[] {
	const drawn = new Set(choosable(available));
	const odd = unlike.map(name => (drawn.has(name) ? name : asAction(name))).filter(name => drawn.has(name));
	return [...new Set(odd)];
}

/** What can be chosen: a channel of the state that the action has too is drawn beside it, and is none of its own. */
export function choosable(available: readonly string[]): readonly string[] {
	const names = new Set(available);
	return available.filter(name => !(streamOf(name) === 'state' && names.has(asAction(name))));
}

/** The channel of the state that belongs to one of the action, where there is one. */
export function besideOf(name: string, available: readonly string[]): string | undefined {
	if (streamOf(name) !== 'action') return undefined;
	const beside = `state${name.slice('action'.length)}`;
	return available.includes(beside) ? beside : undefined;
}

function asAction(name: string): string {
	return `action${name.slice('state'.length)}`;
}

/** The chosen channels that this episode has, or the usual ones where it has none of them. */
export function shownChannels(
	chosen: ChosenChannels | undefined,
	{available, unlike}: {readonly available: readonly string[]; readonly unlike: readonly string[]},
): readonly string[] {
	const own = chosen?.channels.filter(name => available.includes(name)) ?? [];
	if (own.length === 0) return usualChannels(available, unlike).slice(0, mostPlots);
	const odd = chosen?.isPinned ? oddChannels(available, unlike) : [];
	return [...new Set([...own, ...odd])].slice(0, mostPlots);
}
