import {execFileSync} from 'node:child_process';
import path from 'node:path';

/** Whether this machine has the ffmpeg, and in it the encoders, that a test draws its videos with. */
export function canFilm(...encoders: readonly string[]): boolean {
	try {
		const listed = execFileSync('ffmpeg', ['-v', 'error', '-encoders'], {encoding: 'utf8'});
		return encoders.every(name => new RegExp(`\\s${name}\\s`).test(listed));
	} catch {
		return false;
	}
}

/** Where the first video of a camera of a v3.0 dataset lies. */
export const filmOf = (folder: string, camera: string): string =>
	path.join(folder, 'videos', camera, 'chunk-000/file-000.mp4');

/** Draws a video of so many frames, each unlike the others, at 30 frames a second. */
export function film(file: string, frames: number, encoding: readonly string[], size = '96x80'): void {
	const source = ['-f', 'lavfi', '-i', `testsrc2=size=${size}:rate=30`, '-frames:v', String(frames)];
	execFileSync('ffmpeg', ['-v', 'error', ...source, ...encoding, '-pix_fmt', 'yuv420p', '-y', file], {
		stdio: ['ignore', 'ignore', 'ignore'],
	});
}

/** Runs ffmpeg for a test, quietly. */
export function ffmpeg(...args: readonly string[]): string {
	return execFileSync('ffmpeg', ['-v', 'error', '-nostdin', ...args], {encoding: 'utf8', maxBuffer: 1e8});
}

export type Seen = {readonly seconds: number; readonly sum: string};

/** All frames of a video as they are decoded from its beginning, each with the moment it is shown at. */
export function framesOfFilm(file: string): Seen[] {
	const lines = ffmpeg('-copyts', '-i', file, '-map', '0:v:0', '-f', 'framemd5', '-').split('\n');
	const [, ticks = '1', rate = '1'] = /^#tb 0: (\d+)\/(\d+)/m.exec(lines.join('\n')) ?? [];
	return lines
		.filter(line => /^\d/.test(line))
		.map(line => {
			const parts = line.split(',').map(part => part.trim());
			return {seconds: (Number(parts[2]) * Number(ticks)) / Number(rate), sum: parts.slice(4).join()};
		});
}

/** The frame that a reader takes for a moment: the nearest, which LeRobot wants to lie within 0.1 ms. */
export function frameAt(frames: readonly Seen[], seconds: number): Seen {
	const distance = (frame: Seen) => Math.abs(frame.seconds - seconds);
	const found = frames.reduce((best, frame) => (distance(frame) < distance(best) ? frame : best));
	if (distance(found) > 1e-4)
		throw new Error(`no frame at ${seconds} s: the nearest is at ${found.seconds} s`);
	return found;
}
