import {setTimeout as wait} from 'node:timers/promises';
import {expect, test} from 'vitest';
import type {ExploreResponse} from '../../source/contract/explore.ts';
import {programHome} from '../commands/support/program.ts';
import {refused} from '../hosted-service/faults.ts';
import type {HostedService} from '../hosted-service/server.ts';
import {hosted} from '../support/hosted.ts';
import type {Screen} from '../support/pty.ts';
import {explore, isFresh} from './support.ts';

const home = programHome();
const wide = {cols: 120, rows: 40};

/** What the service itself answers. */
async function answerTo({url, key}: HostedService, body: object): Promise<ExploreResponse> {
	const answer = await fetch(`${url}/v1/datasets/explore`, {
		method: 'POST',
		headers: {'content-type': 'application/json', 'x-api-key': key},
		body: JSON.stringify(body),
	});
	return (await answer.json()) as ExploreResponse;
}

/** Whether a request asks for a part of the lake: the table reads the whole of it for itself. */
function isFiltered(body: unknown): boolean {
	return Object.keys(body as object).some(field => field !== 'limit' && field !== 'offset');
}

const line = ({rows}: Screen) => rows[1] ?? '';

test('a filter is written with completion, counted, changed in the form and by a facet, and found again', async () => {
	const service = await hosted({episodes: 2000});
	const options = {...wide, service, env: {XDG_STATE_HOME: home.at('state-of-lines')}};
	const explorer = explore(home, [], options);
	await explorer.until(isFresh, 'the first episodes');

	explorer.press('/');
	await explorer.until(
		screen => line(screen).includes('2,000 match') && screen.text.includes('│tier: '),
		'the keys',
	);
	explorer.type('tier:ret');
	await explorer.untilText('│retrainable');
	explorer.press('tab');
	const counted = await explorer.until(
		screen => /^ \/ tier:retrainable▏ +1,\d\d\d match$/.test(line(screen)),
		'what the tier would leave',
	);
	const first = /([\d,]+) match/.exec(line(counted))?.[1];
	explorer.type(' dura');
	await explorer.untilText('duration, in s');
	explorer.press('tab');
	await explorer.until(
		screen => screen.text.includes('│>=') && screen.text.includes('loaded (sample)'),
		'the comparisons, and how the figure lies in what is read',
	);
	explorer.press('down', 'down', 'down', 'enter');
	await explorer.until(
		screen => line(screen).startsWith(' / tier:retrainable duration_s>▏'),
		'the comparison',
	);
	explorer.type('12');
	await explorer.until(
		screen =>
			/duration_s>12▏ +[\d,]+ match$/.test(line(screen)) &&
			!line(screen).includes(`${first} match`) &&
			/>12 keeps about \d+%/.test(screen.text),
		'another count, and where the threshold cuts',
	);
	explorer.press('enter');
	await explorer.until(
		screen => line(screen).startsWith(' / tier:retrainable duration_s>12  ') && isFresh(screen),
		'the filter applied',
	);

	explorer.press('p');
	await explorer.until(({text}) => /▸▣ .* duration_s +> +\[12 +\]/.test(text), 'the comparison as a row');
	explorer.press('space');
	await explorer.until(
		screen => /▸▢ .*duration_s/.test(screen.text) && line(screen).includes(`1 off · 1 of ${first}`),
		'the comparison off, and what is there without it',
	);
	explorer.press('esc');
	await explorer.until(({text}) => !text.includes('Comparisons'), 'the form closed');
	explorer.press('shift+tab', 'space');
	await explorer.until(({text}) => /^▸▢ \w/m.test(text), 'the first value of the first facet');
	explorer.press('space');
	const task = await explorer.until(
		screen => /^ \/ tier:retrainable task:\S/.test(line(screen)) && /^▸▣ \w/m.test(screen.text),
		'the facet picked',
	);
	explorer.press('p', 'space', 'esc');
	// An Esc is one only once nothing followed it for a moment: the form must be gone before the next key.
	const applied = await explorer.until(
		screen =>
			line(screen).includes('duration_s>12') &&
			/1 of [\d,]+/.test(line(screen)) &&
			!screen.text.includes('Comparisons'),
		'the comparison on again',
	);
	explorer.press('q');
	expect((await explorer.untilExit()).code).toBe(0);
	expect(line(applied)).toContain(/task:\S+/.exec(line(task))?.[0]);

	const again = explore(home, ['tier:analyze_only'], options);
	await again.until(isFresh, 'the first episodes');
	again.press('/');
	await again.until(screen => line(screen).startsWith(' / tier:analyze_only ▏'), 'the line');
	again.press('up');
	await again.until(
		screen => line(screen).startsWith(' / tier:retrainable duration_s>12▏'),
		'the line of the run before',
	);
	again.press('down', 'esc');
	await again.until(screen => line(screen).startsWith(' / tier:analyze_only  '), 'the filter as it was');
	again.press('q');
	await again.untilExit();
}, 90_000);

test('what cannot be read or found is pointed at while the line stays open, and nothing of it is sent', async () => {
	const service = await hosted({episodes: 500});
	const explorer = explore(home, [], {...wide, service});
	await explorer.until(isFresh, 'the first episodes');
	const explored = () =>
		service.requests.filter(({path, body}) => path === '/v1/datasets/explore' && isFiltered(body));
	const before = explored().length;
	explorer.press('/');
	explorer.type('speed>1');
	await explorer.until(
		({rows}) =>
			/^ {3}↑$/.test(rows[2] ?? '') &&
			rows[3]?.includes('speed is not a numeric field; did you mean speed_mean'),
		'what was meant, under the place',
	);
	explorer.press('enter');
	expect(explored()).toHaveLength(before);
	explorer.press('ctrl+u');
	const name = (await answerTo(service, {limit: 1})).episodes[0]?.dataset_name ?? '';
	explorer.type(`dataset:${name}x`);
	explorer.press('enter');
	const pointed = await explorer.until(
		screen =>
			screen.text.includes('is not the name of a dataset of this lake; did you') &&
			screen.text.includes(`${name}`),
		'the dataset that was meant',
	);
	expect(line(pointed)).toContain(`dataset:${name}x▏`);
	expect(explored().every(({body}) => !('dataset_ids' in (body as object)))).toBe(true);
	explorer.press('backspace', 'enter');
	await explorer.until(
		screen =>
			line(screen).startsWith(` / dataset:${name} `) && isFresh(screen) && line(screen).includes(' of '),
		'the filter applied',
	);

	explorer.press('/', 'ctrl+u');
	const page = 'fold the towel '.repeat(20_000);
	explorer.paste(page);
	await explorer.untilText('Column 2621');
	const sent = explored().length;
	explorer.press('enter', 'ctrl+u');
	await explorer.until(screen => line(screen).startsWith(' / ▏'), 'the line empty');
	expect(explored()).toHaveLength(sent);

	service.setFault(
		'POST /v1/datasets/explore',
		refused(422, [{loc: ['body', 'numeric_predicates', 0, 'value'], msg: 'is beyond this lake', type: 'x'}]),
	);
	explorer.type('towel sparc>5');
	const said = await explorer.untilText('the service refuses this: is beyond this lake');
	expect(said.find('↑')?.column).toBe(said.find('sparc>5')?.column);
	explorer.press('enter');
	const applied = await explorer.until(
		screen => line(screen).startsWith(' / sparc>5 towel') && screen.text.includes('the service refuses this'),
		'the refusal under the filter that is applied',
	);
	expect(applied.find('↑')?.column).toBe(applied.find('sparc>5')?.column);
}, 90_000);

test('60 characters at ten a second over a link of 150 ms: one request at a time, and the right page at the end', async () => {
	const service = await hosted({episodes: 5000});
	const explorer = explore(home, [], {...wide, service});
	await explorer.until(isFresh, 'the first episodes');
	await explorer.until(({text}) => /● live|polling/.test(text), 'how fresh that is');
	const {total} = await answerTo(service, {
		tiers: ['retrainable'],
		numeric_predicates: [
			{field: 'duration_s', op: 'gt', value: 4},
			{field: 'frame_count', op: 'gt', value: 150},
			{field: 'duration_s', op: 'lt', value: 300},
		],
		limit: 1,
	});
	let underWay = 0;
	let most = 0;
	service.setFault('POST /v1/datasets/explore', async ({request, response, settle, send}) => {
		const isTyped = isFiltered(request.body);
		if (isTyped) {
			underWay += 1;
			most = Math.max(most, underWay);
			response.once('close', () => {
				underWay -= 1;
			});
		}
		await wait(150, undefined, {ref: false});
		send(await settle());
	});
	const typed = 'tier:retrainable duration_s>4 frame_count>150 duration_s<300';
	expect(typed).toHaveLength(60);
	explorer.press('/');
	const begun = performance.now();
	for (const [place, letter] of [...typed].entries()) {
		await wait(Math.max(0, begun + place * 100 - performance.now()));
		explorer.type(letter);
		// The key shows although no answer can have come since: the link alone takes longer than the next key.
		if (place % 10 === 9) {
			const shown = typed.slice(0, place + 1);
			await explorer.until(screen => line(screen).includes(`${shown}▏`), `“${shown}”`);
		}
	}
	await explorer.until(screen => /duration_s<300▏ +[\d,]+ match$/.test(line(screen)), 'the count');
	// Applied, the filter is the table's, which reads more than the first page.
	const mostWhileTyping = most;
	explorer.press('enter');
	const {rows} = await explorer.until(
		screen =>
			/^ \/ tier:retrainable duration_s>4 frame_count>150 duration_s<300 +1 of/.test(line(screen)) &&
			isFresh(screen),
		'the result',
	);
	expect(rows[1]).toContain(`1 of ${Number(total).toLocaleString('en')}`);
	expect(mostWhileTyping).toBe(1);
}, 90_000);

test('at 60×20 what is offered lies below the line, within the screen and above the footer', async () => {
	const service = await hosted({episodes: 300});
	const explorer = explore(home, [], {cols: 60, rows: 20, service});
	await explorer.until(isFresh, 'the first episodes');
	explorer.press('/');
	explorer.type('towel max(');
	const offered = await explorer.until(
		screen => line(screen).startsWith(' / towel max(▏') && screen.text.includes('│telemetry.'),
		'the streams',
	);
	expect(offered.rows[2]).toContain('│action.');
	expect(offered.find('│action.')?.column).toBe((offered.find('max(')?.column ?? 0) + 3);
	explorer.press('ctrl+u');
	explorer.type('quality_score');
	explorer.press('down', 'down', 'down', 'down');
	const compared = await explorer.until(
		screen => screen.text.includes('▸<   below') && screen.text.includes('(sample)'),
		'the last comparison chosen',
	);
	expect(line(compared)).toMatch(/^ \/ quality_score▏/);
	expect(compared.rows.at(-1)).toContain('enter apply');
	expect(Math.max(...compared.rows.map(row => [...row].length))).toBeLessThanOrEqual(60);
	explorer.press('esc');
	await explorer.until(screen => !screen.text.includes('below'), 'the list put away, the line still there');
	expect(line(explorer.screen())).toMatch(/^ \/ quality_score▏/);
});
