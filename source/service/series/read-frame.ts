import {depthOfCode, depthUnit, isDepthMap} from '../../lerobot/depth.ts';
import type {EpisodeListing} from '../../lerobot/episode-listing.ts';
import {locate} from '../../lerobot/layout.ts';
import {parquetDamage, type ReadDatabase} from '../../lerobot/read-database.ts';
import type {DatasetFolder} from '../../lerobot/read-dataset.ts';
import {quotedIdentifier, quotedString} from '../../lerobot/sql.ts';
import {decodePicture, encodePng, PictureError, pngSize} from '../../picture/decode.ts';
import {type DepthMap, decodeDepth, depthPixels} from '../../picture/depth-picture.ts';
import {fitWithin, scaled} from '../../picture/pixels.ts';
import {FfmpegError, fileUrl, runFfmpeg} from '../ffmpeg/run-ffmpeg.ts';
import type {ReadFrame} from './series-messages.ts';

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
		const {png, depth} = isVideo
			? await fromVideo(source, camera, place)
			: await fromData(source, camera, place);
		return {
			...about,
			source: isVideo ? 'video' : 'parquet',
			png: Buffer.from(png).toString('base64'),
			...(depth && {depth}),
			problem: null,
		};
	} catch (error) {
		if (error instanceof PictureError) return none(error.message);
		throw error;
	}
}

/** A picture, and the distances that it shows if it is one of a depth camera. */
type Taken = {readonly png: Uint8Array; readonly depth?: ReadFrame['depth']};

/** Distances as a picture that says its range. */
async function depthPicture(map: DepthMap, side: number, unit: string | undefined): Promise<Taken> {
	const {pixels, range} = depthPixels(map, side);
	if (range === undefined) throw new PictureError('its depth map has no distance in any pixel');
	return {png: await encodePng(pixels), depth: {...range, unit: unit ?? null}};
}

async function fromVideo(
	{dataset, listing}: FrameSource,
	camera: string,
	{which, side, frames}: FramePlace,
): Promise<Taken> {
	const video = listing?.videos.find(({key}) => key === camera);
	if (video?.file === undefined) throw new PictureError('the metadata does not say where its video lies');
	const located = await locate(dataset.root, video.file);
	if (!located.found) throw new PictureError(`${video.file} is ${located.reason}`);
	const {fps} = dataset.info;
	const from = video.from ?? 0;
	// The middle of a frame: its own moment may be rounded into the one before.
	const at = which === 'first' ? from + 0.5 / fps : from + (frames - 0.5) / fps;
	const feature = dataset.info.features[camera];
	const isDepth = isDepthMap(feature);
	const png = await videoFrame(located.path, {seconds: at, earlierBy: 1 / fps, side, isDepth});
	if (!isDepth) return {png};
	const {width, height, values} = await decodeDepth(png, bounds);
	const metres = depthOfCode(feature);
	// ffmpeg widens the 12 bits of a code to the 16 of a grey.
	const distances = Float64Array.from(values, grey => metres(grey >> 4));
	return depthPicture({width, height, values: distances}, side, 'm');
}

async function fromData(
	{database, dataset, listing, dataFiles}: FrameSource,
	camera: string,
	{which, side, episode}: FramePlace,
): Promise<Taken> {
	const feature = dataset.info.features[camera];
	const home = listing?.dataFile;
	const files = home === undefined ? dataFiles : [home, ...dataFiles.filter(file => file !== home)];
	for (const file of files) {
		const located = await locate(dataset.root, file);
		if (!located.found || (await parquetDamage(located.path)) !== null) continue;
		const bytes = await pictureIn(database, located.path, camera, {which, episode});
		if (bytes === undefined) continue;
		if (isDepthMap(feature)) return depthPicture(await decodeDepth(bytes, bounds), side, depthUnit(feature));
		const pixels = await decodePicture(bytes, bounds);
		return {png: await encodePng(scaled(pixels, fitWithin(pixels, {width: side, height: side})))};
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

/** How long a frame may take, and how large it may come. */
const frameMs = 15_000;
const videoFrameMostBytes = 3 * 1024 * 1024;

type VideoMoment = {
	/** In the file. */
	readonly seconds: number;
	/** How far to go back where the video ends before that. */
	readonly earlierBy: number;
	/** Pixels of the longer side at most. */
	readonly side: number;
	/** Every grey is to stay as it is. */
	readonly isDepth: boolean;
};

/**
 * A frame of a video as a PNG, by the `ffmpeg` that is on the path.
 *
 * @throws {PictureError}
 */
async function videoFrame(file: string, {seconds, earlierBy, ...look}: VideoMoment): Promise<Uint8Array> {
	const found =
		(await tryFrame(file, seconds, look)) ??
		(await tryFrame(file, Math.max(0, seconds - 2 * earlierBy), look));
	if (found === undefined) throw new PictureError('the video ends before it');
	return found;
}

async function tryFrame(
	file: string,
	seconds: number,
	{side, isDepth}: Pick<VideoMoment, 'side' | 'isDepth'>,
): Promise<Uint8Array | undefined> {
	const smaller = `scale=w='min(iw,${side})':h='min(ih,${side})':force_original_aspect_ratio=decrease`;
	const scale = isDepth ? `${smaller}:flags=neighbor` : smaller;
	const args = [
		...['-threads', '1', '-max_alloc', String(512 * 1024 * 1024)],
		...['-ss', seconds.toFixed(6), '-i', fileUrl(file)],
		...['-map', '0:v:0', '-frames:v', '1', '-vf', scale, '-pix_fmt', isDepth ? 'gray16be' : 'rgb24'],
		...['-f', 'image2pipe', '-c:v', 'png', 'pipe:1'],
	];
	const output = await outputOf(file, args);
	if (output.length === 0) return undefined;
	const size = pngSize(output);
	if (size === undefined || Math.max(size.width, size.height) > side + 1) {
		throw new PictureError('ffmpeg gave something else than a picture');
	}
	return output;
}

async function outputOf(file: string, args: readonly string[]): Promise<Buffer> {
	const chunks: Buffer[] = [];
	const onOutput = (chunk: Buffer) => void chunks.push(chunk);
	try {
		await runFfmpeg({
			command: 'ffmpeg',
			args,
			boundMs: frameMs,
			mostBytes: videoFrameMostBytes,
			files: [file],
			onOutput,
		});
	} catch (error) {
		throw error instanceof FfmpegError ? new PictureError(reasonOf(error)) : error;
	}
	return Buffer.concat(chunks);
}

function reasonOf({kind, message}: FfmpegError): string {
	if (kind === 'absent') return 'ffmpeg, which reads videos, is not on the path of the service';
	if (kind === 'large') return 'its picture is too large';
	return kind === 'slow' ? message : `ffmpeg cannot read the video: ${message}`;
}
