import type {Screen} from '../../components/screen.tsx';
import {exactJson} from '../../contract/json-text.ts';
import {artifactFigure, type DatasetItem} from '../../contract/listing.ts';
import type {Ways} from '../../hooks/links.ts';
import type {DatasetDamages} from '../../store/artifacts/dataset-damage.ts';
import {type DatasetOrigin, withoutEpisodes} from '../../store/artifacts/dataset-origin.ts';
import type {OpenedDataset} from '../../store/artifacts/opened-dataset.ts';
import {byteSize, counted} from '../../terminal/quantity.ts';
import {artifactLines, targetLine} from '../list/listing-lines.ts';
import {fieldLines, headingLine, type OpenedLine} from '../list/opened-line.ts';
import {cardLines} from './card-lines.ts';
import {damageLines} from './damage-lines.ts';
import {fileLines, fileTree} from './file-tree.ts';

type DatasetLinesOptions = {
	readonly width: number;
	readonly screen: Screen;
	readonly jobName: (id: string) => string | undefined;
	readonly ways: Ways;
	readonly opened: OpenedDataset | undefined;
	readonly origin: DatasetOrigin | undefined;
	readonly damages: DatasetDamages | undefined;
	/** Asks to mend a damage. */
	readonly repair: (id: string) => void;
	readonly unfolded: ReadonlySet<string>;
	readonly toggle: (folder: string) => void;
};

/** A dataset in full: its episodes, its problems, its fields, its jobs, its files, its card. */
export function datasetLines(item: DatasetItem, options: DatasetLinesOptions): readonly OpenedLine[] {
	const {width, screen, jobName, ways, opened, origin, damages, repair} = options;
	const episodes = artifactFigure(item, 'episodes');
	const toEpisodes = {
		id: 'episodes',
		description: 'to its episodes',
		enter: () => ways.toDataset(item),
	};
	const text = episodes === undefined ? 'in the lake' : counted(episodes, 'episode');
	return [
		...(withoutEpisodes(item) === undefined
			? [targetLine({label: 'episodes', text}, toEpisodes, {screen})]
			: []),
		...(origin === undefined ? [] : [originLine(origin, options)]),
		...(damages === undefined ? [] : damageLines(damages, {width, screen, repair})),
		...artifactLines(item, {width, screen, jobName, to: ways.to}),
		...(opened === undefined ? [] : openedLines(opened, options)),
	];
}

function originLine({datasetId, children}: DatasetOrigin, {screen, ways}: DatasetLinesOptions): OpenedLine {
	const text = `${counted(children, 'episode')} in other datasets`;
	const target = {
		id: 'parents',
		description: 'go to its sources',
		enter: () => ways.toParents(datasetId),
	};
	return targetLine({label: 'sources', text}, target, {screen});
}

function openedLines(
	{ref, files, card: read, raw, trouble}: OpenedDataset,
	{width, screen, unfolded, toggle}: DatasetLinesOptions,
): readonly OpenedLine[] {
	const titled = (aside: string): readonly OpenedLine[] => [
		[],
		[...headingLine('Files'), {text: `  ${ref}${aside}`, role: 'dim'}],
	];
	const words = (value: string, role: 'dim' | 'warning') =>
		fieldLines([{label: '', value, role}], width, screen);
	if (trouble !== undefined) return [...titled(''), ...words(trouble, 'warning')];
	if (raw !== undefined) {
		const shown = words('The answer has an unexpected format; raw:', 'dim');
		return [...titled(''), ...shown, ...words(exactJson(raw), 'dim')];
	}
	if (files === undefined) return [...titled(''), ...words('Loading files.', 'dim')];
	const {frontMatter, totalSize, isCut} = files;
	const size = totalSize === undefined ? '' : `, ${byteSize(totalSize)}`;
	const tree = fileLines(fileTree(files.files), {width, screen, unfolded, toggle});
	const cut = words('The service does not return everything.', 'dim');
	const card =
		read === undefined
			? words('No README.md.', 'dim')
			: read === 'reading'
				? words('Loading the card.', 'dim')
				: cardLines(read, {width, screen});
	const front = frontMatter?.trim()
		? fieldLines([{label: 'card data', value: frontMatter, role: 'dim'}], width, screen)
		: [];
	return [
		...titled(` ${screen.signs.separator} ${counted(files.files.length, 'file')}${size}`),
		...tree,
		...(isCut ? cut : []),
		[],
		headingLine('Card'),
		...front,
		...card,
	];
}
