import {chmod, mkdir, readFile, writeFile} from 'node:fs/promises';
import path from 'node:path';

/** A program that is called like ffmpeg and is a shell script: what it was asked is kept, a call a list of arguments. */
export async function standInFfmpeg(folder: string, body: string) {
	await mkdir(folder, {recursive: true});
	const command = path.join(folder, 'ffmpeg');
	const asked = path.join(folder, 'asked');
	// The output is the last argument, and what else a script looks for is in the others.
	const script = `#!/bin/sh
{ for each in "$@"; do printf '%s\\n' "$each"; done; printf '\\n'; } >> ${asked}
echo $$ > ${folder}/pid
for last in "$@"; do :; done
last=\${last#file:}
case " $* " in
*' framecrc '*) what=list ;;
*' framemd5 '*) what=decode ;;
*' concat '*) what=join ;;
*' image2pipe '*) echo "no pictures here" >&2; exit 1 ;;
*) what=cut ;;
esac
${body}
`;
	await writeFile(command, script);
	await chmod(command, 0o755);
	return {
		command,
		folder,
		calls: async () =>
			(await readFile(asked, 'utf8').catch(() => ''))
				.split('\n\n')
				.filter(call => call !== '')
				.map(call => call.trim().split('\n')),
		pid: async () => Number(await readFile(path.join(folder, 'pid'), 'utf8').catch(() => 'NaN')),
	};
}

/** What ffmpeg prints of a video of so many frames at 30 a second, of which every second is a key frame. */
export const listedFilm = (frames: number): string =>
	[
		'#extradata 0: 16, 0x12345678',
		'#tb 0: 1/15360',
		'#media_type 0: video',
		'#codec_id 0: av1',
		'#dimensions 0: 96x80',
		'#sar 0: 1/1',
		...Array.from({length: frames}, (_, at) => {
			const sum = `0x${at.toString(16).padStart(8, '0')}`;
			return `0, ${at * 512}, ${at * 512}, 512, 1000, ${sum}${at % 2 === 0 ? '' : ', F=0x0'}`;
		}),
	].join('\n');
