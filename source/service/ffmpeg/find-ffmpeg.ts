import {constants} from 'node:fs';
import {access, stat} from 'node:fs/promises';
import path from 'node:path';

/** The first `ffmpeg` on the path; a relative folder there is passed over, as it would be another one elsewhere. */
export async function findFfmpeg(env: NodeJS.ProcessEnv = process.env): Promise<string | undefined> {
	for (const folder of (env.PATH ?? '').split(path.delimiter)) {
		if (!path.isAbsolute(folder)) continue;
		const file = path.join(folder, 'ffmpeg');
		try {
			await access(file, constants.X_OK);
			if ((await stat(file)).isFile()) return file;
		} catch {
			// Not there, or not ours to run: perhaps in the next folder.
		}
	}
	return undefined;
}
