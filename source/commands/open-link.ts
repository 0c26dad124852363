import {noFilter} from '../query/filter.ts';
import {linkKinds, placeOfEpisode, readLink} from '../store/links/link.ts';
import type {CommandLine} from './flags.ts';
import {openExplorer} from './open.ts';
import {readSettings} from './settings.ts';
import {UsageError} from './usage-error.ts';

const forms = linkKinds.map(kind => (kind === 'episode' ? 'episode:DATASET/INDEX' : `${kind}:ID`)).join(' ');

/** `lakescope open LINK`: the explorer at what a link leads to. */
export async function openLink({words, flags}: CommandLine): Promise<number> {
	const [text, ...more] = words;
	if (text === undefined || more.length > 0) {
		throw new UsageError(`lakescope open takes one link, one of these: ${forms}`);
	}
	const link = readLink(text);
	if (link === undefined) throw new UsageError(`"${text}" is no link. Links look like these: ${forms}`);
	const settings = await readSettings(flags);
	if (!process.stdin.isTTY || !process.stdout.isTTY) {
		throw new UsageError(
			'lakescope open needs a terminal. Without one, lakescope finetune ID, augmentation ID and sync-status ID print how something stands.',
		);
	}
	const place = placeOfEpisode(link);
	const filter =
		place === undefined ? noFilter : {...noFilter, datasets: [place.dataset], index: place.index};
	return openExplorer(settings, {filter, link});
}
