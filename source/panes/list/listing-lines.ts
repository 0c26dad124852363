import {type KeyOf, keySentence, keyWords} from '../../components/key-words.ts';
import type {Screen} from '../../components/screen.tsx';
import type {Segment} from '../../components/segment.ts';
import {exactJson} from '../../contract/json-text.ts';
import type {DatasetItem} from '../../contract/listing.ts';
import type {Binding} from '../../input/binding.ts';
import type {Sought} from '../../store/artifacts/listing-feed.ts';
import type {Explorer} from '../../store/explorer.ts';
import type {CursorListKnown} from '../../store/queries/cursor-list.ts';
import {type Link, printLink} from '../../store/queries/link.ts';
import type {ListId} from '../../store/state/list-location.ts';
import {listAsked} from '../../store/state/view-transitions.ts';
import {counted, moment} from '../../terminal/quantity.ts';
import {fieldLines, headingLine, type KnownField, type LineTarget, type OpenedLine} from './opened-line.ts';

type Listed = Pick<
	CursorListKnown<unknown>,
	'freshness' | 'hasMore' | 'leftOut' | 'isPrevious' | 'isOutdated' | 'keys' | 'names'
>;

/** The words beside a listing's position: how it is narrowed and sorted, and how complete it is. */
export function listingAside(
	{hasMore, leftOut, isPrevious, isOutdated, keys, names, freshness}: Listed,
	{asked, keyOf}: {readonly asked: readonly string[]; readonly keyOf: KeyOf},
): string {
	const isReading = 'isReading' in freshness && freshness.isReading;
	return [
		...asked,
		isPrevious ? 'asking' : '',
		isReading && names.length < keys.length - 1 ? `${counted(names.length, 'row')} read` : '',
		...(isOutdated ? ['changed', ...keyWords(keyOf, [['list-view.refresh', 'refreshes the list']])] : []),
		hasMore ? 'the service has more' : '',
		leftOut > 0 ? `${leftOut} unreadable` : '',
	]
		.filter(Boolean)
		.join(', ');
}

/** Words for a listing without rows. */
export function listingEmpty(
	{freshness}: Listed,
	{noun, isNarrowed, hint, keyOf}: {noun: string; isNarrowed: boolean; hint: string; keyOf: KeyOf},
): readonly (readonly Segment[])[] {
	if ('reason' in freshness) return [[{text: freshness.reason, role: 'bad'}]];
	if (freshness.state === 'loading') return [[{text: `Loading ${noun}s.`, role: 'dim'}]];
	if (isNarrowed) {
		const way = keySentence(keyOf, [[`${noun}s.all`, 'clears the search']]);
		return [[{text: `No ${noun} matches.`, role: 'strong'}], [way]];
	}
	return [[{text: `No ${noun}s.`, role: 'strong'}], [hint]];
}

/** Words where the opened item is missing or still loading. */
export function absentLines(sought: Sought | undefined): readonly (readonly Segment[])[] {
	if (sought === undefined) return [[{text: ' Loading.', role: 'dim'}]];
	if (sought.trouble === undefined) return [[{text: ' Searching.', role: 'dim'}]];
	return [[{text: ` ${sought.id}`, role: 'dim'}], [{text: ` ${sought.trouble}`, role: 'warning'}]];
}

/** A parameter of a listing whose values a key cycles through. */
type TermKey = {
	readonly key: string;
	readonly term: string;
	readonly description: string;
	/** Undefined is the service's default. */
	readonly values: readonly (string | undefined)[];
};

/** The keys that narrow or sort the listing, and the one that resets it. */
export function termBindings(
	explorer: Explorer,
	{list, category, terms}: {list: ListId; category: string; terms: readonly TermKey[]},
): readonly Binding[] {
	const place = () => explorer.state.getState().lists[list];
	return [
		...terms.map(({key, term, description, values}): Binding => {
			return {
				keys: [key],
				action: `${list}.${term}`,
				description,
				category,
				footer: 32,
				run() {
					const next = (values.indexOf(place().terms[term]) + 1) % values.length;
					explorer.update(listAsked(list, {[term]: values[next]}));
				},
			};
		}),
		{
			keys: ['X'],
			action: `${list}.all`,
			description: 'list all',
			category,
			footer: 31,
			when: () => place().search !== '' || Object.keys(place().terms).length > 0,
			run: () => explorer.update(listAsked(list, {}, {isOnly: true})),
		},
	];
}

const labelWidth = 14;

/** A line with a link: its relation to the opened item, its name, and words beside it. */
export function targetLine(
	{label, text, aside = ''}: {label: string; text: string; aside?: string},
	target: LineTarget,
	{screen}: {screen: Screen},
): OpenedLine {
	return {
		segments: [
			' ',
			screen.cell(label, labelWidth, {role: 'dim'}),
			' ',
			{text, role: 'accent'},
			{text: aside === '' ? '' : `  ${aside}`, role: 'dim'},
		],
		target,
	};
}

/** The target that a link is. */
export function linkTarget(link: Link, to: (link: Link) => void): LineTarget {
	return {id: printLink(link), description: `to the ${link.kind}`, enter: () => to(link)};
}

type ArtifactOptions = {
	readonly width: number;
	readonly screen: Screen;
	/** A job's name, where it is known. */
	readonly jobName: (id: string) => string | undefined;
	readonly to: (link: Link) => void;
};

/** Fields that have lines of their own. */
const placed = new Set(['artifact_id', 'subtype', 'path', 'metadata', 'jobs', 'created_at', 'updated_at']);

/** A text as it is; any other value as JSON. */
function valueText(value: unknown): string {
	return typeof value === 'string' ? value : exactJson(value);
}

/** Fields as received, without the empty ones. */
export function furtherFields(values: Readonly<Record<string, unknown>>): readonly KnownField[] {
	return Object.entries(values)
		.filter(([, value]) => value !== undefined && value !== null && value !== '')
		.map(([label, value]) => ({label, value: valueText(value)}));
}

/** A dataset or a model in full: its fields, its metadata, and its jobs. */
export function artifactLines(
	item: DatasetItem,
	{width, screen, jobName, to}: ArtifactOptions,
): readonly OpenedLine[] {
	const {artifact_id, subtype, path, metadata, jobs, created_at, updated_at} = item;
	const when = (text: string) => {
		const at = Date.parse(text);
		return Number.isNaN(at) ? text : moment(at);
	};
	const head = [
		{label: 'path', value: path, role: 'strong' as const},
		{label: 'kind', value: subtype},
		{label: 'id', value: artifact_id},
		{label: 'created', value: when(created_at)},
		{label: 'updated', value: when(updated_at)},
		...furtherFields(Object.fromEntries(Object.entries(item).filter(([name]) => !placed.has(name)))),
	];
	const further = furtherFields(metadata ?? {});
	const links = jobs ?? [];
	return [
		...fieldLines(head, width, screen),
		...(links.length === 0 ? [] : [[], headingLine('Jobs')]),
		...links.map(({job_id: id, direction}) => {
			const label = direction === 'input' ? 'it went into' : direction === 'output' ? 'made by' : direction;
			const name = jobName(id);
			const line = {label, text: name ?? `job ${id}`, ...(name === undefined ? {} : {aside: id.slice(0, 8)})};
			return targetLine(line, linkTarget({kind: 'job', id}, to), {screen});
		}),
		...(further.length === 0 ? [] : [[], headingLine('Metadata')]),
		...fieldLines(further, width, screen),
	];
}
