import {noFilter} from '../query/filter.ts';
import {type Link, linkKinds, placeOfEpisode, readLink} from '../store/queries/link.ts';
import type {CommandLine} from './flags.ts';
import {openExplorer} from './open.ts';
import {UsageError} from './print/failure.ts';
import {readSettings} from './settings.ts';

const forms = linkKinds.map(kind => (kind === 'episode' ? 'episode:DATASET/INDEX' : `${kind}:ID`)).join(' ');

/** The command that prints the target of a link. */
function withoutTerminal(link: Link): string {
	const {kind, id} = link;
	switch (kind) {
		case 'job':
			return `"lakescope finetune ${id}" prints its status ("lakescope augmentation ${id}" where it is one)`;
		case 'upload':
			return `"lakescope sync-status ${id}" prints its status`;
		case 'dataset':
			return `"lakescope episodes dataset:${id}" prints its episodes, and "lakescope datasets" the datasets`;
		case 'model':
			return '"lakescope models --json" prints it among the models';
		case 'project':
			return '"lakescope projects --json" prints it among the projects';
		case 'episode': {
			const place = placeOfEpisode(link);
			return place === undefined
				? '"lakescope episodes --all --jsonl" prints it among the episodes'
				: `"lakescope episodes dataset:${place.dataset} index:${place.index} --json" prints it`;
		}
	}
}

/** `lakescope open LINK`: the explorer at what a link leads to. */
export async function openLink({words, flags}: CommandLine): Promise<number> {
	const [text, ...more] = words;
	if (text === undefined || more.length > 0) {
		throw new UsageError(`lakescope open takes one link, one of these: ${forms}`);
	}
	const link = readLink(text);
	if (link === undefined) throw new UsageError(`"${text}" is not a link. Links look like these: ${forms}`);
	const settings = await readSettings(flags);
	if (!process.stdin.isTTY || !process.stdout.isTTY) {
		throw new UsageError(`lakescope open needs a terminal. Without one, ${withoutTerminal(link)}.`);
	}
	const place = placeOfEpisode(link);
	const filter =
		place === undefined ? noFilter : {...noFilter, datasets: [place.dataset], index: place.index};
	return openExplorer(settings, {filter, link});
}
