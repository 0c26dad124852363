import type {Screen} from '../../components/screen.tsx';
import {exactJson} from '../../contract/exact-json.ts';
import type {DatasetItem} from '../../contract/listing.ts';
import type {Link} from '../../store/links/link.ts';
import {moment} from '../../terminal/quantity.ts';
import {fieldLines, headingLine, type KnownField} from '../list/detail-field-lines.ts';
import type {OpenedLine} from '../list/opened-line.ts';
import {linkTarget, targetLine} from './link-line.ts';

type ArtifactOptions = {
	readonly width: number;
	readonly screen: Screen;
	/** What a job is called, where that is known. */
	readonly jobName: (id: string) => string | undefined;
	readonly to: (link: Link) => void;
};

/** What stands among the first fields. */
const placed = new Set(['artifact_id', 'subtype', 'path', 'metadata', 'jobs', 'created_at', 'updated_at']);

/** A value as people read it; what is no plain value as the JSON that it is. */
export function valueText(value: unknown): string {
	return typeof value === 'string' ? value : exactJson(value);
}

/** Fields as they came, without those that say nothing. */
export function furtherFields(values: Readonly<Record<string, unknown>>): readonly KnownField[] {
	return Object.entries(values)
		.filter(([, value]) => value !== undefined && value !== null && value !== '')
		.map(([label, value]) => ({label, value: valueText(value)}));
}

/** What is known of a dataset or a model: its fields, its metadata, and the jobs that it has to do with. */
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
