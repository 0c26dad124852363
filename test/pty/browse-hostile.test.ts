import {expect, onTestFinished, test} from 'vitest';
import {programHome} from '../commands/support/program.ts';
import {hostileStrings} from '../hosted-service/hostile.ts';
import {startHostedService} from '../hosted-service/server.ts';
import {explore, isFresh} from './support.ts';

const home = programHome();

/** What the strings would make a terminal do, as far as the program never writes it itself. */
const orders = [
	'\u001B]0;renamed',
	'\u001B]8;;https://attacker',
	'\u001B[2J\u001B[Hcleared',
	'\u001B[31mred without end',
	'\u009B',
	'\u0090',
	'\u202E',
	'\u2066',
	'\u{E0041}',
];

test.each([
	[80, 24],
	[140, 40],
])(
	'hostile names, metadata, files and cards reach no terminal, and nothing goes over the edge (%i×%i)',
	async (cols, rows) => {
		const service = await startHostedService({episodes: 20});
		onTestFinished(() => service.close());
		const at = new Date(0).toISOString();
		const idOf = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
		service.state.datasets = hostileStrings.map((text, number) => ({
			artifact_id: idOf(number),
			subtype: number % 2 === 0 ? text : 'lerobot_v3',
			path: text,
			metadata: {[`key ${text}`]: text, deep: {list: [text]}},
			jobs: [{job_id: idOf(500 + number), direction: 'output' as const}],
			created_at: at,
			updated_at: at,
		}));
		const card = hostileStrings.map(
			text => `# ${text}\n\n[${text}](${text}) ![${text}](${text}) <b>${text}</b>\n\n- ${text}`,
		);
		service.setFault('GET /v1/datasets/files', ({send}) =>
			send({
				status: 200,
				json: {files: hostileStrings.map(path => ({path, size: 5})), readme: card.join('\n\n')},
			}),
		);
		const explorer = explore(home, [], {cols, rows, service});
		await explorer.until(isFresh, 'the lake');
		explorer.press('4');
		await explorer.untilText(`1 of ${hostileStrings.length}`);
		explorer.press('enter');
		await explorer.until(
			({text}) => /\d-\d+ of [\d,]+━/.test(text) && text.includes('made by'),
			'the first, opened',
		);
		explorer.press('G');
		for (let step = 0; step < 6; step++) {
			await explorer.settled();
			explorer.press('pageup');
		}
		explorer.press('n');
		const screen = await explorer.until(
			({text}) => text.includes('made by') && /\d-\d+ of [\d,]+━/.test(text),
			'the next, opened',
		);
		expect(screen.rows.filter(row => row.startsWith(' lakescope '))).toHaveLength(1);
		explorer.press(':');
		explorer.type('e');
		await explorer.until(({text}) => text.includes('━ Command ━') && text.includes(': e'), 'the palette');
		const output = explorer.output();
		for (const order of orders) expect(output).not.toContain(order);
	},
	60_000,
);
