import {existsSync, readFileSync} from 'node:fs';
import {expect, inject, test} from 'vitest';
import {times} from '../faults/support/soak.ts';
import type {HostedService} from '../hosted-service/server.ts';
import {hosted} from '../support/hosted.ts';
import {startInPty} from '../support/pty.ts';
import {programHome} from './support/program.ts';

const home = programHome();

const environmentOf = ({url, key}: HostedService) => ({LAKESCOPE_URL: url, LAKESCOPE_API_KEY: key});

/**
 * Tells the most memory that the process ever had resident, in kB, as its last line on stderr. The kernel's own figure:
 * that of getrusage is at least what the process had that started it.
 */
const tellPeak = `data:text/javascript,import {readFileSync as read} from 'node:fs';process.on('exit',()=>process.stderr.write(/VmHWM.*/.exec(read('/proc/self/status','utf8'))[0]+'\\n'))`;

test('--all needs no more memory for ten times the episodes', async () => {
	const service = await hosted({episodes: 1});
	const env = environmentOf(service);
	const peakOf = async (count: number) => {
		service.setEpisodes(count);
		const child = home.start(['episodes', '--all', '--jsonl'], env, ['--import', tellPeak]);
		let lines = 0;
		child.stdout?.on('data', (chunk: Buffer) => {
			for (const byte of chunk) if (byte === 10) lines++;
		});
		let stderr = '';
		child.stderr?.setEncoding('utf8').on('data', text => {
			stderr += text;
		});
		const code = await new Promise(resolve => child.once('close', resolve));
		expect({code, lines}).toEqual({code: 0, lines: count});
		return Number(/VmHWM:\s+(\d+)/.exec(stderr)?.[1]) / 1024;
	};
	const few = times(2000, 20_000);
	const small = await peakOf(few);
	const large = await peakOf(10 * few);
	const ratio = large / small;
	console.log(
		`episodes --all: ${small.toFixed()} MiB for ${few}, ${large.toFixed()} MiB for ${10 * few}: ${ratio.toFixed(2)} x`,
	);
	expect(ratio).toBeLessThanOrEqual(1.3);
}, 600_000);

/** A shell in a terminal, in which the program's output goes elsewhere. */
function shell(script: string, env: Record<string, string>) {
	return startInPty('/bin/sh', ['-c', script], {
		cwd: home.root,
		env: {...home.env, ...env, NODE: process.execPath, CLI: inject('cli')},
	});
}

test('a bar on the terminal tells how far it is, and goes; none stands among data', async () => {
	const service = await hosted({episodes: 3000});
	const env = environmentOf(service);
	const away = shell('$NODE $CLI episodes --all --jsonl > all.jsonl; echo ended with $?', env);
	const left = await away.untilText('ended with 0');
	expect(away.output()).toMatch(/episodes {2}reading {2}\S+ \d+\/3000/);
	expect(left.rows.filter(row => row.trim() !== '').map(row => row.trim())).toEqual(['ended with 0']);
	expect(readFileSync(home.at('all.jsonl'), 'utf8').trimEnd().split('\n')).toHaveLength(3000);
	const here = shell('$NODE $CLI episodes --limit 400 --jsonl; echo ended with $?', env);
	await here.untilText('ended with 0');
	expect(here.output()).not.toContain('reading');
});

test('^C ends it with a word, and every line that was written is whole', async () => {
	const service = await hosted({episodes: 200_000});
	const env = environmentOf(service);
	const program = shell('exec $NODE $CLI episodes --all --jsonl > part.jsonl', env);
	await program.untilText('reading');
	program.press('ctrl+c');
	expect(await program.untilExit()).toMatchObject({code: 130});
	await program.untilText('Stopped.');
	expect(existsSync(home.at('part.jsonl'))).toBe(true);
	const text = readFileSync(home.at('part.jsonl'), 'utf8');
	expect(text.endsWith('}\n')).toBe(true);
	for (const line of text.trimEnd().split('\n')) JSON.parse(line);
});
