import type {Client} from '../client/client.ts';
import type {ExploreResponse, LakeFacets} from '../contract/explore.ts';
import {type Facet, facets} from '../contract/facets.ts';
import {type CountedFacet, countsOf} from '../contract/local-explore.ts';
import {keptDatasets, keptName, lerobotHome} from '../files/datasets-on-disk.ts';
import {shortPath} from '../files/places.ts';
import {print} from '../query/print.ts';
import {printable} from '../terminal/printable.ts';
import {counted, grouped, span} from '../terminal/quantity.ts';
import {fitTo} from '../terminal/width.ts';
import type {ChosenService} from './chosen-service.ts';
import {requestFor, type TypedFilter} from './filter-argument.ts';
import {exploreBy, noMatchSentences} from './no-match.ts';
import {tableColumns, tableRow} from './print/episode-formats.ts';
import {exitCodes} from './print/failure.ts';
import {outputWidth, write} from './print/output.ts';
import {table} from './print/table.ts';
import {withService} from './session.ts';
import type {Settings} from './settings.ts';

const shownRows = 10;
const shownValues = 5;
const shownDatasets = 8;

function nameOf({kind, clientOptions, lakeFolder}: ChosenService): string {
	if (kind === 'sample') return 'sample lake (simulated arms)';
	return kind === 'hosted' ? clientOptions.baseUrl : shortPath(lakeFolder ?? '');
}

function facetLine({title, none}: Facet, {values, total}: CountedFacet): readonly string[] {
	if (values.length === 0) return [];
	const unnamed = none ?? '(empty)';
	const shown = values
		.slice(0, shownValues)
		.map(({value, count}) => `${printable(value) || unnamed} ${grouped(count)}`);
	const left = Number(total ?? 0) - shown.length;
	const more = left > 0 ? [`${grouped(left)} more`] : [];
	return [`${title.padEnd(12)}${[...shown, ...more].join(' · ')}`];
}

function facetLines(counted: LakeFacets): readonly string[] {
	return facets.flatMap(facet => {
		const counts = countsOf(facet, counted);
		return counts === undefined ? [] : facetLine(facet, counts);
	});
}

/** How many datasets there are; NaN where the service gives a part of them and no total. */
async function countDatasets(client: Client): Promise<number> {
	const {data} = await client.listDatasets({limit: 1000});
	const {total_count, has_next} = data.page_info;
	return Number(total_count ?? (has_next ? Number.NaN : data.items.length));
}

/** For an empty lake: the datasets that LeRobot keeps on this machine. */
async function offer(lake: string, lakeNamed: boolean): Promise<readonly string[]> {
	const home = lerobotHome();
	const {folders: found, places} = await keptDatasets();
	const holdsNothing = `Your own lake, ${printable(shortPath(lake))}, is empty.`;
	const command = `lakescope ingest${lakeNamed ? ` --lake ${printable(shortPath(lake))}` : ''}`;
	if (found.length === 0) return ['', `${holdsNothing} Ingest datasets with: ${command} DIR`];
	const named = found.slice(0, shownDatasets).map(folder => `  ${printable(keptName(folder, home))}`);
	const more = found.length - named.length;
	return [
		'',
		`${holdsNothing} LeRobot keeps ${counted(found.length, 'dataset')} on this machine:`,
		...named,
		...(more > 0 ? [`  and ${grouped(more)} more`] : []),
		`Ingest them with: ${command} ${places.map(place => printable(shortPath(place))).join(' ')}`,
	];
}

/** The person's own lake, where it holds nothing: the sample stands in for it, or it was named. */
function emptyLake(
	{lakeNamed, lakeFolder}: Settings,
	service: ChosenService,
	response: ExploreResponse,
	line: string,
) {
	const namedAndEmpty = lakeNamed && service.kind === 'lake' && response.total === 0 && line === '';
	return namedAndEmpty ? lakeFolder : service.emptyLake;
}

/** `lakescope` without a terminal: what the lake holds, in a page of text. */
export async function summary(settings: Settings, typed: TypedFilter): Promise<number> {
	const {filter} = typed;
	return withService(settings, async ({service, client}) => {
		const request = await requestFor(client, typed);
		const document = service.kind === 'hosted' ? undefined : await client.localDocument();
		const [{data}, datasets] = await Promise.all([
			exploreBy(client, document)({...request, limit: shownRows}),
			countDatasets(client),
		]);
		const untrainable = document?.lake.untrainable ?? 0;
		const line = print(filter);
		const totals = [
			...(Number.isNaN(datasets) ? [] : [counted(datasets, 'dataset')]),
			counted(data.total, 'episode'),
			counted(data.total_frames, 'frame'),
			span(data.total_duration_seconds),
			...(untrainable > 0 ? [`${counted(untrainable, 'dataset')} cannot train: videos missing`] : []),
		];
		const width = outputWidth();
		const empty = emptyLake(settings, service, data, line);
		const lines = [
			`lakescope · ${printable(nameOf(service))} · ${totals.join(' · ')}`,
			...(line === '' ? [] : [`filter      ${printable(line)}`]),
			...facetLines(data.facets),
			...(data.episodes.length > 0 ? ['', ...table(tableColumns, data.episodes.map(tableRow), width)] : []),
			...(Number(data.total) === 0 && line !== ''
				? ['', ...(await noMatchSentences(client, filter, service)).map(each => printable(each))]
				: []),
			...(empty === undefined ? [] : await offer(empty, settings.lakeNamed)),
		];
		const fitted = Number.isFinite(width) ? lines.map(each => fitTo(each, width).trimEnd()) : lines;
		await write(fitted.map(each => `${each}\n`).join(''));
		return exitCodes.fine;
	});
}
