import {writeFileSync} from 'node:fs';
import {expect, onTestFinished, test} from 'vitest';
import {programHome} from '../commands/support/program.ts';
import {startHostedService} from '../hosted-service/server.ts';
import {explore, isFresh} from './support.ts';

const home = programHome();

/** Has every file take its name a while after it was written, as on a disk with much else to do. */
const slowDisk = `
import fs from 'node:fs';
import {syncBuiltinESMExports} from 'node:module';
const {rename} = fs;
fs.rename = (from, to, done) => setTimeout(rename, 1200, from, to, done);
syncBuiltinESMExports();
`;

test('on a slow disk too, the next start opens where this one ended', async () => {
	const service = await startHostedService({episodes: 20});
	onTestFinished(() => service.close());
	const preload = home.at('slow-disk.mjs');
	writeFileSync(preload, slowDisk);
	const first = explore(home, [], {service, env: {NODE_OPTIONS: `--import ${preload}`}});
	await first.until(isFresh, 'the first episodes');
	first.press('6');
	await first.until(({text}) => /━ Projects ━/.test(text), 'the projects');
	first.press('q');
	expect((await first.untilExit()).code).toBe(0);
	expect(first.output()).not.toContain('before all was saved');

	const second = explore(home, [], {service});
	await second.until(({text}) => /━ Projects ━/.test(text) && /\? help$/m.test(text), 'the projects again');
});
