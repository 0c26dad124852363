/** Put there by the build, which finds it in the source (`build/action-names.ts`). */
declare const LAKESCOPE_ACTIONS: readonly string[] | undefined;

/** The names of actions that the program knows. */
export type ActionNames = {
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
export const knownActions: ActionNames | undefined =
	typeof LAKESCOPE_ACTIONS === 'undefined' ? undefined : actionNames(LAKESCOPE_ACTIONS);
