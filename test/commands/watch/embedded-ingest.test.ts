import {writeFile} from 'node:fs/promises';
import path from 'node:path';
import {expect, test} from 'vitest';
import {writeLerobotDataset} from '../../support/lerobot-dataset.ts';
import {programHome} from '../support/program.ts';

const home = programHome();
const lake = home.at('lake');

/** Begins to take a folder in, as a script would, and gives the operation. */
async function begun(folder: string): Promise<string> {
	const input = home.at('request.json');
	await writeFile(input, JSON.stringify({folder}));
	const {code, stdout, stderr} = await home.run(
		['api', 'POST', '/local/v1/ingests', '--input', input, '--lake', lake],
		// Until it is asked after.
		{LAKESCOPE_SERVICE_GRACE_MS: '20000'},
	);
	expect({code, stderr}).toEqual({code: 0, stderr: ''});
	return JSON.parse(stdout).operation_id;
}

test('sync-status --watch follows an ingest to its end and exits by its outcome', async () => {
	const good = home.at('recordings', 'cups');
	await writeLerobotDataset(good);
	const watch = async (id: string) => home.run(['sync-status', id, '--watch', '--lake', lake]);
	const finalized = await watch(await begun(good));
	expect(finalized).toMatchObject({code: 0});
	expect(finalized.stdout).toContain('finalized');

	const torn = home.at('recordings', 'torn');
	await writeLerobotDataset(torn);
	await writeFile(path.join(torn, 'meta', 'info.json'), '{"codebase_version": "v3.0"}');
	const failed = await watch(await begun(torn));
	expect(failed).toMatchObject({code: 1});
	expect(failed.stdout).toContain('failed');
	const {items} = JSON.parse((await home.run(['uploads', '--json', '--lake', lake])).stdout);
	expect(failed.stdout).toContain(items.find(({phase}: {phase: string}) => phase === 'failed').message);
}, 60_000);
