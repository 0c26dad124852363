import type {Binding} from './binding.ts';
import {parseKeys} from './key-name.ts';

/** The user's keys by action; an empty list takes the action's keys away. */
export type KeyOverrides = Readonly<Record<string, readonly string[]>>;

/** Something in the overrides that can't be done as written, with a sentence that says so. */
type RebindingProblem = {readonly action: string; readonly key: string; readonly message: string};

/** A key that two actions claim; `other` has it. */
type Conflict = RebindingProblem & {readonly other: string};

/** A binding's keys, each a chord of one key or more, after the user's overrides. */
export function effectiveKeys(binding: Binding, overrides: KeyOverrides): readonly (readonly string[])[] {
	const own = Object.hasOwn(overrides, binding.action) ? overrides[binding.action] : undefined;
	return (own ?? binding.keys).map(parseKeys);
}

/**
 * Splits what the user wrote into what can be used and what is wrong with the rest: keys that are none,
 * actions that nothing offers, keys that two actions of one pane would share.
 *
 * @param actions every action that can be rebound; without it unknown actions pass.
 */
export function readOverrides(
	written: Readonly<Record<string, string | readonly string[]>>,
	actions?: Pick<ActionNames, 'has' | 'beside'>,
): {overrides: KeyOverrides; problems: readonly RebindingProblem[]} {
	const problems: RebindingProblem[] = [];
	const overrides: Record<string, readonly string[]> = {};
	for (const [action, value] of Object.entries(written)) {
		if (actions !== undefined && !actions.has(action)) {
			problems.push({action, key: '', message: unknownAction(action, actions.beside(action))});
			continue;
		}
		const good: string[] = [];
		for (const key of typeof value === 'string' ? [value] : value) {
			const problem = keyProblem(key);
			if (problem === undefined) good.push(key);
			else problems.push({action, key, message: `keys of ${action}: ${problem}`});
		}
		// An action whose keys are all wrong keeps its own ones rather than none.
		if (good.length > 0 || value.length === 0) overrides[action] = good;
	}
	return {overrides, problems: [...problems, ...sharedKeys(overrides)]};
}

function unknownAction(action: string, others: readonly string[]): string {
	const words = `there is no action “${action}” to rebind`;
	return others.length === 0 ? words : `${words}; there are ${others.join(', ')}`;
}

/** Two actions of one pane on one key, as far as the overrides alone tell. */
function sharedKeys(overrides: KeyOverrides): readonly RebindingProblem[] {
	const panes = Map.groupBy(Object.keys(overrides), action => action.split('.')[0]);
	return [...panes.values()].flatMap(actions =>
		findConflicts(
			actions.map(action => ({action, keys: [], description: '', run: () => undefined})),
			overrides,
		),
	);
}

/** The session acts on these before anybody hears of them, so that no dialog can swallow them. */
const sessionKeys = new Set(['ctrl+c', 'ctrl+z', 'ctrl+l']);

function keyProblem(key: string): string | undefined {
	try {
		const [first = ''] = parseKeys(key);
		if (!sessionKeys.has(first)) return undefined;
		return `“${key}” always means the same: ^C quits, ^Z suspends, ^L draws anew`;
	} catch (error) {
		return error instanceof Error ? error.message : String(error);
	}
}

/**
 * Finds keys that two actions claim, or that begin a chord of another: the first declared wins. Only bindings without `when` count, as those with one may take turns.
 */
export function findConflicts(bindings: readonly Binding[], overrides: KeyOverrides): readonly Conflict[] {
	const problems: Conflict[] = [];
	const taken: {chord: readonly string[]; action: string}[] = [];
	for (const binding of bindings) {
		if (binding.when !== undefined) continue;
		for (const chord of effectiveKeys(binding, overrides)) {
			const other = taken.find(entry => entry.action !== binding.action && overlap(entry.chord, chord));
			const key = chord.join(' ');
			if (other !== undefined) {
				problems.push({
					action: binding.action,
					other: other.action,
					key,
					message: `“${key}” of ${binding.action} is taken by ${other.action} (“${other.chord.join(' ')}”)`,
				});
			}
			taken.push({chord, action: binding.action});
		}
	}
	return problems;
}

function overlap(a: readonly string[], b: readonly string[]): boolean {
	return a.slice(0, b.length).every((key, index) => key === b[index]);
}

/** Keys by action, as the configuration has them. */
export type WrittenKeys = Readonly<Record<string, string | readonly string[]>>;

/** A problem of the user's keys, as a sentence that says where to look. */
export function keyProblemSentence(message: string): string {
	return `The configuration's keys: ${message}.`;
}

/** The user's keys as far as they can be used, and a sentence for each that can't. */
export function readKeys(written: WrittenKeys): {overrides: KeyOverrides; problems: readonly string[]} {
	const {overrides, problems} = readOverrides(written, knownActions);
	return {overrides, problems: problems.map(({message}) => keyProblemSentence(message))};
}

/** Put there by the build, which finds it in the source (`build/action-names.ts`). */
declare const LAKESCOPE_ACTIONS: readonly string[] | undefined;

/** The names of actions that the program knows. */
type ActionNames = {
	has(action: string): boolean;
	/** Those that begin as this one does, up to the dot. */
	beside(action: string): readonly string[];
};

const firstPart = (action: string) => action.slice(0, Math.max(0, action.indexOf('.')));

/** @param declared names; a star stands for a part that is only known as the program runs. */
export function actionNames(declared: readonly string[]): ActionNames {
	const names = declared.filter(name => !name.includes('*'));
	const patterns = declared
		.filter(name => name.includes('*'))
		.map(name => new RegExp(`^${name.replaceAll('.', '\\.').replaceAll('*', '[\\w-]+')}$`));
	const firstParts = new Set(declared.map(firstPart));
	const isPart = (first: string) => firstParts.has(first) || firstParts.has(first.replace(/-detail$/, ''));
	return {
		has: action =>
			names.includes(action) || (isPart(firstPart(action)) && patterns.some(pattern => pattern.test(action))),
		beside: action => names.filter(name => firstPart(name) === firstPart(action)),
	};
}

/** Every action of this program; undefined where it runs without having been built. */
const knownActions: ActionNames | undefined =
	typeof LAKESCOPE_ACTIONS === 'undefined' ? undefined : actionNames(LAKESCOPE_ACTIONS);
