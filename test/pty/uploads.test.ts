import {expect, onTestFinished, test} from 'vitest';
import {programHome} from '../commands/support/program.ts';
import {hold} from '../hosted-service/faults.ts';
import {startHostedService} from '../hosted-service/server.ts';
import {writeLerobotDataset} from '../support/lerobot-dataset.ts';
import {explore, isFresh} from './support.ts';

const home = programHome();

async function dataset(name: string): Promise<string> {
	const folder = home.at('datasets', name);
	await writeLerobotDataset(folder, {episodes: [{frames: 20}, {frames: 20}]});
	return folder;
}

test('a folder is chosen, checked and sent into the lake of this machine, and enter opens its episodes', async () => {
	await dataset('cups-1');
	const explorer = explore(home, ['--lake', home.at('lake')], {cols: 100, rows: 30});
	await explorer.until(({text}) => /\? help$/m.test(text), 'the empty lake');
	explorer.press('2');
	await explorer.untilText('No uploads.');
	explorer.press('u');
	await explorer.untilText('━ Upload a dataset ━');
	explorer.press('ctrl+u');
	explorer.type(home.at('datasets', 'cu'));
	await explorer.until(({text}) => /▸.*cups-1\/ .*LeRobot v3\.0, 2 episodes/.test(text), 'what lies there');
	explorer.press('tab');
	await explorer.untilText('A dataset: LeRobot v3.0, 2 episodes');
	explorer.press('enter');
	await explorer.until(
		({text}) =>
			text.includes('Will ingest 2 episodes, 40 frames.') &&
			text.includes('enter upload   n other folder') &&
			/[\d.]+ \w+ of it is new to the service/.test(text),
		'what the check says',
	);
	explorer.press('enter');
	await explorer.until(({text}) => /▸cups-1 +✓ finalized +generation 1, 2 episodes/.test(text), 'its end');
	explorer.press('enter');
	await explorer.untilText('those of cups-1');
	explorer.press('enter');
	await explorer.until(
		({rows, text}) => rows[1]?.includes('dataset:cups-1') && text.includes('1 of 2 '),
		'its episodes',
	);
	explorer.press('q');
	expect((await explorer.untilExit()).code).toBe(0);
}, 90_000);

test('an upload is cancelled after a question, and resumes from there the next time', async () => {
	const folder = await dataset('cups-2');
	const service = await startHostedService({episodes: 20});
	onTestFinished(() => service.close());
	const held = hold();
	service.setFault('PUT /upload-targets/{token}', held.fault);
	const explorer = explore(home, [], {cols: 100, rows: 30, service});
	await explorer.until(isFresh, 'the lake');
	const send = async () => {
		explorer.press('u');
		await explorer.untilText('━ Upload a dataset ━');
		explorer.press('ctrl+u');
		explorer.type(`${folder}/`);
		await explorer.untilText('A dataset: LeRobot v3.0, 2 episodes');
		explorer.press('enter');
		await explorer.until(
			({text}) =>
				/a hosted service: committing an upload is not part of its interface\..*no dataset is made of them there/s.test(
					text.replaceAll(/[\s│]+/g, ' '),
				) &&
				!text.includes('Will ingest') &&
				text.includes('y upload anyway   n other folder'),
			'what comes of it, before anything is sent',
		);
		const targets = service.state.targets.size;
		// The key that one goes on with answers no question.
		explorer.press('enter');
		await explorer.settled();
		expect(service.state.targets.size).toBe(targets);
		explorer.press('y');
	};
	explorer.press('2');
	await explorer.untilText('No uploads.');
	await send();
	await explorer.until(
		({rows}) => rows.some(row => /^ [\u2800-\u28ff] cups-2 +[▓░]{20} .* sending/.test(row)),
		'the line of it',
	);
	explorer.press('C');
	await explorer.untilText('Cancel it?');
	explorer.press('y');
	await explorer.untilText('cups-2: cancelled.');
	held.release();
	service.setFault('PUT /upload-targets/{token}');
	await explorer.until(
		({rows}) => !rows.some(row => /^ [○\u2800-\u28ff] cups-2/.test(row)),
		'nothing on its way',
	);
	await send();
	await explorer.untilText('cups-2: everything was sent, but the service there makes no dataset of it');
	const received = [...service.state.targets.values()]
		.filter(target => target.received)
		.map(({blob_id}) => blob_id);
	expect(new Set(received).size).toBe(4);
	explorer.press('q');
	expect((await explorer.untilExit()).code).toBe(0);
}, 90_000);
