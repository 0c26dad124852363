import type {Client} from '../client/client.ts';
import type {ExploreResponse} from '../contract/explore.ts';
import type {FacetCount} from '../contract/facets.ts';
import {findDatasets, lerobotHome} from '../files/datasets-on-disk.ts';
import {shortPath} from '../files/places.ts';
import type {Filter} from '../query/filter.ts';
import {print} from '../query/print.ts';
import {printable} from '../terminal/printable.ts';
import {fitTo} from '../terminal/width.ts';
import type {ChosenService} from './chosen-service.ts';
import {tableColumns, tableRow} from './episode-columns.ts';
import {exitCodes} from './failure.ts';
import {requestFor} from './filter-argument.ts';
import {outputWidth, write} from './output.ts';
import {counted, grouped, span} from './quantities.ts';
import {withService} from './session.ts';
import type {Settings} from './settings.ts';
import {table} from './table.ts';

const shownRows = 10;
const shownValues = 5;
const shownDatasets = 8;

function nameOf({kind, clientOptions, lakeFolder}: ChosenService): string {
	if (kind === 'sample') return 'sample lake (simulated arms, recorded by nobody)';
	return kind === 'hosted' ? clientOptions.baseUrl : shortPath(lakeFolder ?? '');
}

function facetLine(
	title: string,
	values: readonly FacetCount[],
	total: number | bigint,
	unnamed: string,
): readonly string[] {
	if (values.length === 0) return [];
	const shown = values
		.slice(0, shownValues)
		.map(({value, count}) => `${printable(value) || unnamed} ${grouped(count)}`);
	const left = Number(total) - shown.length;
	const more = left > 0 ? [`${grouped(left)} more`] : [];
	return [`${title.padEnd(12)}${[...shown, ...more].join(' · ')}`];
}

function facetLines({facets}: ExploreResponse): readonly string[] {
	return [
		...facetLine('Tier', facets.by_tier, facets.by_tier_total_values, 'none'),
		...facetLine('Task', facets.by_task, facets.by_task_total_values, '(empty)'),
		...facetLine('Embodiment', facets.by_interface_hash, facets.by_interface_hash_total_values, '(empty)'),
		...facetLine(
			'Markers',
			facets.by_marker_signature ?? [],
			facets.by_marker_signature_total_values ?? 0,
			'(empty)',
		),
	];
}

async function countDatasets(client: Client): Promise<number | undefined> {
	const {data} = await client.listDatasets({limit: 1000});
	return data.page_info.total_count === null || data.page_info.total_count === undefined
		? data.page_info.has_next
			? undefined
			: data.items.length
		: Number(data.page_info.total_count);
}

/** What a person with an empty lake could take in: the datasets that LeRobot keeps on this machine. */
async function offer(emptyLake: string | undefined): Promise<readonly string[]> {
	if (emptyLake === undefined) return [];
	const home = lerobotHome();
	const found = await findDatasets(home);
	if (found.length === 0) {
		return [
			'',
			`Your own lake, ${shortPath(emptyLake)}, holds nothing yet. Take datasets in with: lakescope ingest DIR`,
		];
	}
	const named = found
		.slice(0, shownDatasets)
		.map(folder => `  ${printable(folder.slice(home.length + 1) || folder)}`);
	const more = found.length - named.length;
	return [
		'',
		`Your own lake, ${shortPath(emptyLake)}, holds nothing yet. ${counted(found.length, 'dataset')} of LeRobot's on this machine could go into it:`,
		...named,
		...(more > 0 ? [`  and ${grouped(more)} more`] : []),
		`Take them in with: lakescope ingest ${printable(shortPath(home))}`,
	];
}

/** `lakescope` without a terminal: what the lake holds, in a page of text. */
export async function summary(settings: Settings, filter: Filter): Promise<number> {
	return withService(settings, async ({service, client}) => {
		const request = await requestFor(client, filter);
		const [{data}, datasets] = await Promise.all([
			client.explore({...request, limit: shownRows}),
			countDatasets(client),
		]);
		const line = print(filter);
		const totals = [
			...(datasets === undefined ? [] : [counted(datasets, 'dataset')]),
			counted(data.total, 'episode'),
			counted(data.total_frames, 'frame'),
			span(data.total_duration_seconds),
		];
		const width = outputWidth();
		const empty =
			settings.lakeNamed && data.total === 0 && line === '' ? settings.lakeFolder : service.emptyLake;
		const lines = [
			`lakescope · ${printable(nameOf(service))} · ${totals.join(' · ')}`,
			...(line === '' ? [] : [`filter      ${printable(line)}`]),
			...facetLines(data),
			...(data.episodes.length > 0 ? ['', ...table(tableColumns, data.episodes.map(tableRow), width)] : []),
			...(await offer(empty)),
		];
		const fitted = Number.isFinite(width) ? lines.map(each => fitTo(each, width).trimEnd()) : lines;
		await write(fitted.map(each => `${each}\n`).join(''));
		return exitCodes.fine;
	});
}
