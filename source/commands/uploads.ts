import type {UploadListResponse, UploadRecord} from '../contract/local-uploads.ts';
import {readProgressDetail} from '../contract/progress-detail.ts';
import {byteSize, counted, moment} from '../terminal/quantity.ts';
import type {CommandLine} from './flags.ts';
import {type Field, listingCommand} from './listing-command.ts';
import type {Session} from './session.ts';
import {takesUploads} from './upload-service.ts';

/** The progress of an entry: bytes while they arrive, then the steps of its ingest, then its result. */
function progress({phase, status, bytes_stored, bytes_total, message}: UploadRecord): string | undefined {
	if (phase === 'failed') return message ?? status?.message ?? undefined;
	if (status?.phase === 'finalized') {
		const {episode_count, total_frames} = status;
		return `${counted(episode_count ?? 0, 'episode')}, ${counted(total_frames ?? 0, 'frame')}`;
	}
	const detail = readProgressDetail(status?.progress_json);
	if (detail?.done !== undefined) {
		return [detail.step, `${detail.done}/${detail.total}`, detail.unit].filter(Boolean).join(' ');
	}
	if (detail) return detail.step;
	if (bytes_stored === null) return undefined;
	return bytes_total === null
		? byteSize(bytes_stored)
		: `${byteSize(bytes_stored)} of ${byteSize(bytes_total)}`;
}

const fields: readonly Field<UploadRecord>[] = [
	{title: 'dataset', least: 8, of: ({dataset_name}) => dataset_name},
	{title: 'kind', of: ({kind}) => kind},
	{title: 'phase', of: ({phase, quiet}) => (quiet && phase === 'staging' ? 'staging, quiet' : phase)},
	{title: 'progress', least: 12, of: progress},
	{title: 'updated', of: ({updated_unix}) => moment(updated_unix * 1000).slice(0, 16)},
	{title: 'operation', least: 8, of: ({operation_id}) => operation_id ?? undefined},
	{title: 'folder', least: 8, of: ({folder}) => folder ?? undefined},
];

async function get({client}: Session, wanted: number) {
	if (!takesUploads(await client.localDocument())) {
		const sentence = `${client.address.shown} does not list uploads: the interface has no such call. Follow one by its operation: lakescope sync-status ID --watch`;
		throw new Error(sentence);
	}
	const {data, setAside} = await client.listUploads();
	const listing = {...data, items: data.items.slice(0, wanted)};
	return {listing, hasMore: data.items.length > wanted, leftOut: setAside.length};
}

/** `lakescope uploads [--json] [--limit N]`: uploads and ingests, where the service lists them. */
export function uploads(line: CommandLine): Promise<number> {
	return listingCommand<UploadRecord, UploadListResponse>(line, {
		name: 'uploads',
		get,
		fields: async () => fields,
	});
}
