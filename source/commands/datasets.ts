import type {Client} from '../client/client.ts';
import {exactJson, visibleJson} from '../contract/json-text.ts';
import {datasetListLimits} from '../contract/limits.ts';
import {artifactFigure, type DatasetItem, type DatasetListResponse} from '../contract/listing.ts';
import type {CommandLine} from './flags.ts';
import {exitCodes, UsageError} from './print/failure.ts';
import {outputWidth, printLeftOut, write} from './print/output.ts';
import {type Column, table} from './print/table.ts';
import {noteIfSample, withService} from './session.ts';
import {readSettings} from './settings.ts';

const columns: readonly Column[] = [
	{title: 'path', least: 12},
	{title: 'kind', least: 6},
	{title: 'episodes', align: 'right'},
	{title: 'frames', align: 'right'},
	{title: 'updated'},
	{title: 'id', least: 8},
];

const figure = (item: DatasetItem, what: 'episodes' | 'frames') => String(artifactFigure(item, what) ?? '—');

const row = (item: DatasetItem): readonly string[] => [
	item.path,
	item.subtype,
	figure(item, 'episodes'),
	figure(item, 'frames'),
	item.updated_at.slice(0, 16).replace('T', ' '),
	item.artifact_id,
];

/** The whole listing as one answer: every page's items, the last page's page info. */
async function listAll(client: Client): Promise<DatasetListResponse> {
	const limit = datasetListLimits.page.max;
	let {data, setAside} = await client.listDatasets({limit, sort: 'name'});
	const items = [...data.items];
	const cursors = new Set<string>();
	for (
		let cursor = data.page_info.end_cursor;
		data.page_info.has_next && cursor;
		cursor = data.page_info.end_cursor
	) {
		if (cursors.has(cursor))
			throw new Error('The service returns the same page of datasets again and again.');
		cursors.add(cursor);
		const page = await client.listDatasets({limit, sort: 'name', cursor});
		data = page.data;
		setAside = [...setAside, ...page.setAside];
		items.push(...data.items);
	}
	printLeftOut(setAside.length);
	return {...data, items};
}

/** `lakescope datasets` */
export async function datasets({words, flags}: CommandLine): Promise<number> {
	if (words.length > 0) throw new UsageError(`lakescope datasets takes no "${words[0]}".`);
	return withService(await readSettings(flags), async ({service, client}) => {
		noteIfSample(service);
		const listing = await listAll(client);
		if (flags.json) await write(`${visibleJson(exactJson(listing))}\n`);
		else
			await write(
				table(columns, listing.items.map(row), outputWidth())
					.map(line => `${line}\n`)
					.join(''),
			);
		return exitCodes.fine;
	});
}
