import {type ExecFileException, execFile} from 'node:child_process';
import {PictureError, pngSize} from '../../picture/decode.ts';

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
		...['-v', 'error', '-nostdin', '-threads', '1', '-max_alloc', String(512 * 1024 * 1024)],
		// A playlist in a video's clothes opens nothing else.
		...['-protocol_whitelist', 'file,pipe', '-ss', seconds.toFixed(6), '-i', `file:${file}`],
		...['-map', '0:v:0', '-frames:v', '1', '-vf', scale, '-pix_fmt', 'rgb24'],
		...['-f', 'image2pipe', '-c:v', 'png', 'pipe:1'],
	];
	const output = await run('ffmpeg', args);
	if (output.length === 0) return undefined;
	const size = pngSize(output);
	if (size === undefined || Math.max(size.width, size.height) > side + 1) {
		throw new PictureError('ffmpeg gave something else than a picture');
	}
	return output;
}

function run(command: string, args: readonly string[]): Promise<Buffer> {
	return new Promise((resolve, reject) => {
		execFile(
			command,
			args,
			{encoding: 'buffer', timeout: frameMs, killSignal: 'SIGKILL', maxBuffer: mostBytes},
			(error, stdout, stderr) => {
				if (error === null) resolve(stdout);
				else reject(new PictureError(reasonOf(error, stderr.toString('utf8'))));
			},
		);
	});
}

function reasonOf(error: ExecFileException, words: string): string {
	if (error.code === 'ENOENT') return 'ffmpeg, which reads videos, is not on the path of the service';
	if (error.code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER') return 'its picture is too large';
	if (error.killed) return `ffmpeg took longer than ${frameMs / 1000} s`;
	return `ffmpeg cannot read the video: ${words.trim().split('\n')[0]?.slice(0, 200) ?? error.message}`;
}
