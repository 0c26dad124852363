import type {LakeEpisode} from '../../contract/episode.ts';
import {noFilter} from '../../query/filter.ts';
import {print} from '../../query/print.ts';

/** More names than these are not told apart at a glance. */
const mostNamed = 4;

/** The embodiments of episodes that come page by page. */
export class Embodiments {
	readonly #counts = new Map<string, number>();

	add(episodes: readonly Pick<LakeEpisode, 'interface_hash'>[]): void {
		for (const {interface_hash: name} of episodes) {
			if (name != null) this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
		}
	}

	/** A sentence that names them, those of most episodes first, and how to keep one. @returns undefined for one alone */
	wayToOne(): string | undefined {
		const names = [...this.#counts].toSorted(([, a], [, b]) => b - a).map(([name]) => name);
		const [first] = names;
		if (first === undefined || names.length < 2) return undefined;
		const further = names.length > mostNamed ? ` and ${names.length - mostNamed} more` : '';
		const named = `${names.slice(0, mostNamed).join(', ')}${further}`;
		const term = print({...noFilter, interfaces: [first]});
		return `They are of ${names.length} embodiments: ${named}. Narrow the filter to one of them, as with ${term}.`;
	}
}
