import type {EpisodeListing} from '../../lerobot/episode-listing.ts';
import {locate} from '../../lerobot/layout.ts';
import {parquetDamage, type ReadDatabase} from '../../lerobot/read-database.ts';
import type {DatasetFolder} from '../../lerobot/read-dataset.ts';
import {quotedIdentifier, quotedString} from '../../lerobot/write-sql.ts';
import {decodePicture, encodePng, PictureError} from '../../picture/decode.ts';
import {fitWithin, scaled} from '../../picture/pixels.ts';
import type {ReadFrame} from './series-messages.ts';
import {videoFrame} from './video-frame.ts';

export type WantedFrame = {
	readonly camera?: string | undefined;
	readonly which: 'first' | 'last';
	readonly side: number;
};

type FrameSource = {
	readonly database: ReadDatabase;
	readonly dataset: DatasetFolder;
	readonly listing: EpisodeListing | undefined;
	readonly dataFiles: readonly string[];
};

type FramePlace = WantedFrame & {
	readonly episode: number;
	/** Frames that the episode has. */
	readonly frames: number;
};

/** Bytes and pixels of a picture in a data file: more than any camera of a robot gives. */
const mostBytes = 32 * 1024 * 1024;
const bounds = {pixels: 24_000_000};

/** Reads a picture of one camera, from the data file or the video, whichever the dataset keeps it in. */
export async function readFrame(source: FrameSource, place: FramePlace): Promise<ReadFrame> {
	const {cameras} = source.dataset.layout;
	const camera = place.camera ?? cameras[0] ?? null;
	const about = {cameras: [...cameras], camera, which: place.which};
	const none = (problem: string) => ({...about, source: null, png: null, problem});
	if (camera === null) return none('the dataset has no cameras');
	if (!cameras.includes(camera)) return none('the dataset has no camera of that name');
	const isVideo = source.dataset.videos.includes(camera);
	try {
		const png = isVideo ? await fromVideo(source, camera, place) : await fromData(source, camera, place);
		return {
			...about,
			source: isVideo ? 'video' : 'parquet',
			png: Buffer.from(png).toString('base64'),
			problem: null,
		};
	} catch (error) {
		if (error instanceof PictureError) return none(error.message);
		throw error;
	}
}

async function fromVideo(
	{dataset, listing}: FrameSource,
	camera: string,
	{which, side, frames}: FramePlace,
): Promise<Uint8Array> {
	const video = listing?.videos.find(({key}) => key === camera);
	if (video?.file === undefined) throw new PictureError('the metadata does not say where its video lies');
	const located = await locate(dataset.root, video.file);
	if (!located.found) throw new PictureError(`${video.file} is ${located.reason}`);
	const {fps} = dataset.info;
	const from = video.from ?? 0;
	// The middle of a frame: its own moment may be rounded into the one before.
	const at = which === 'first' ? from + 0.5 / fps : from + (frames - 0.5) / fps;
	return videoFrame(located.path, {seconds: at, earlierBy: 1 / fps, side});
}

async function fromData(
	{database, dataset, listing, dataFiles}: FrameSource,
	camera: string,
	{which, side, episode}: FramePlace,
): Promise<Uint8Array> {
	const home = listing?.dataFile;
	const files = home === undefined ? dataFiles : [home, ...dataFiles.filter(file => file !== home)];
	for (const file of files) {
		const located = await locate(dataset.root, file);
		if (!located.found || (await parquetDamage(located.path)) !== null) continue;
		const bytes = await pictureIn(database, located.path, camera, {which, episode});
		if (bytes === undefined) continue;
		const pixels = await decodePicture(bytes, bounds);
		return encodePng(scaled(pixels, fitWithin(pixels, {width: side, height: side})));
	}
	throw new PictureError('no data file holds a picture of it');
}

/** The picture's bytes as they lie in a data file: a struct with `bytes`, as the datasets library writes images. */
async function pictureIn(
	database: ReadDatabase,
	file: string,
	camera: string,
	{which, episode}: {which: 'first' | 'last'; episode: number},
): Promise<Uint8Array | undefined> {
	const found = (await database.columnsOf(file)).get(camera);
	if (found === undefined) return undefined;
	const type = String(found);
	const column = quotedIdentifier(camera);
	const bytes = /^STRUCT\(/.test(type) && /\bbytes\b/.test(type) ? `${column}.bytes` : column;
	if (bytes === column && type !== 'BLOB')
		throw new PictureError(`its column holds ${type.slice(0, 80)}, no pictures`);
	const order = which === 'first' ? 'ASC' : 'DESC';
	const read = await database.query(
		`SELECT CASE WHEN octet_length(picture) <= ${mostBytes} THEN picture END AS picture, octet_length(picture) AS size
		FROM (SELECT ${bytes} AS picture FROM read_parquet(${quotedString(file)}) WHERE episode_index = ${Math.trunc(episode)}
			ORDER BY frame_index ${order} LIMIT 1)`,
	);
	const [row] = read.getRowsJS();
	if (row === undefined) return undefined;
	const [picture, size] = row;
	if (Number(size) > mostBytes)
		throw new PictureError(`it has ${Number(size)} bytes, and at most ${mostBytes} are read`);
	if (!(picture instanceof Uint8Array))
		throw new PictureError('its bytes lie elsewhere than in the data file');
	return picture;
}
