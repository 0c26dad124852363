import {expect, onTestFinished, test} from 'vitest';
import {programHome} from '../commands/support/program.ts';
import {startHostedService} from '../hosted-service/server.ts';
import {explore, isFresh} from './support.ts';

const home = programHome();

test('a key pressed after a filter acts on its episodes, and on none where they take too long', async () => {
	const service = await startHostedService({episodes: 60});
	onTestFinished(() => service.close());
	const explorer = explore(home, [], {cols: 120, rows: 40, service});
	const all = await explorer.until(isFresh, 'the lake');
	const [dataset = ''] = /▸ +0 +(\S+)/.exec(all.text)?.slice(1) ?? [];
	let letGo = Promise.withResolvers<void>();
	let held = 0;
	service.setFault('POST /v1/datasets/explore', async ({settle, send, request}) => {
		if ((request.body as {episode_index?: number}).episode_index !== undefined) {
			held++;
			await letGo.promise;
		}
		send(await settle());
	});

	explorer.type(`/dataset:${dataset} index:7\r-`);
	await expect.poll(() => held).toBeGreaterThan(0);
	letGo.resolve();
	await explorer.untilText(`Episode 7 of ${dataset} rejected.`);
	explorer.press('u');
	await explorer.untilText(`Undone: Episode 7 of ${dataset} rejected.`);

	letGo = Promise.withResolvers<void>();
	explorer.type(`/\u0015dataset:${dataset} index:5\r-`);
	await explorer.untilText('still shows the previous filter: nothing was done');
	letGo.resolve();
	await explorer.until(({text}) => /▸ +5 /.test(text) && text.includes('1 of 1'), 'the episode');
	explorer.press('-');
	await explorer.untilText(`Episode 5 of ${dataset} rejected · u`);
	explorer.press('q');
	expect((await explorer.untilExit()).code).toBe(0);
}, 60_000);
