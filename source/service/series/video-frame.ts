import {PictureError, pngSize} from '../../picture/decode.ts';
import {FfmpegError, fileUrl, runFfmpeg} from '../ffmpeg/run-ffmpeg.ts';

/** How long a frame may take, and how large it may come. */
const frameMs = 15_000;
const mostBytes = 3 * 1024 * 1024;

type VideoMoment = {
	/** In the file. */
	readonly seconds: number;
	/** How far to go back where the video ends before that. */
	readonly earlierBy: number;
	/** Pixels of the longer side at most. */
	readonly side: number;
};

/**
 * A frame of a video as a PNG, by the `ffmpeg` that is on the path.
 *
 * @throws {PictureError}
 */
export async function videoFrame(file: string, {seconds, earlierBy, side}: VideoMoment): Promise<Uint8Array> {
	const found =
		(await tryFrame(file, seconds, side)) ??
		(await tryFrame(file, Math.max(0, seconds - 2 * earlierBy), side));
	if (found === undefined) throw new PictureError('the video ends before it');
	return found;
}

async function tryFrame(file: string, seconds: number, side: number): Promise<Uint8Array | undefined> {
	const scale = `scale=w='min(iw,${side})':h='min(ih,${side})':force_original_aspect_ratio=decrease`;
	const args = [
		...['-threads', '1', '-max_alloc', String(512 * 1024 * 1024)],
		...['-ss', seconds.toFixed(6), '-i', fileUrl(file)],
		...['-map', '0:v:0', '-frames:v', '1', '-vf', scale, '-pix_fmt', 'rgb24'],
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
		await runFfmpeg({command: 'ffmpeg', args, boundMs: frameMs, mostBytes, files: [file], onOutput});
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
