import {describe, expect, test} from 'vitest';
import {createScreen} from '../../../source/components/screen.tsx';
import {lineWidth, renderLine} from '../../../source/components/segment.ts';
import {signsFor} from '../../../source/components/signs.ts';
import {cardLines} from '../../../source/panes/artifacts/card-lines.ts';
import {readCard} from '../../../source/store/artifacts/opened-dataset.ts';

const screen = createScreen({colour: false, attributes: false, ascii: false}, signsFor({unicode: true}));

async function shown(markdown: string, width = 60): Promise<readonly string[]> {
	return cardLines(await readCard(markdown, new AbortController().signal), {width, screen}).map(line =>
		renderLine(line, width, screen.drawing).trimEnd(),
	);
}

test('a card reads as text: headings, lists, code, tables', async () => {
	const card = [
		'# Folding',
		'',
		'Recorded with **two cameras** and `30` fps.',
		'',
		'- one',
		'  - inner',
		'- [x] done',
		'',
		'1. first',
		'2. second',
		'',
		'```',
		'lerobot-record --x',
		'```',
		'',
		'| a | b |',
		'|---|---|',
		'| 1 | 2 |',
		'',
		'> quoted',
	].join('\n');
	expect(await shown(card)).toEqual([
		' Folding',
		'',
		' Recorded with two cameras and 30 fps.',
		'',
		' - one',
		'   - inner',
		' ▣ done',
		'',
		' 1. first',
		' 2. second',
		'',
		'   lerobot-record --x',
		'',
		' a     b',
		' ──────────',
		' 1     2',
		'',
		' │ quoted',
	]);
});

test('links show their address, images and HTML are words, and nothing in them is executed', async () => {
	const card =
		'[the paper](https://x.example/a) ![arm](https://x.example/arm.png) <script>alert(1)</script><b>x</b>';
	const text = (await shown(card, 200)).join(' ');
	expect(text).toContain('the paper (https://x.example/a)');
	expect(text).toContain('[image: arm]');
	expect(text).toContain('<script>alert(1)</script><b>x</b>');
	expect(text).not.toContain('arm.png');
});

describe('hostile cards', () => {
	const esc = '\u001b';
	test.each([
		['escapes', `# ${esc}]0;owned\u0007 ${esc}[2J\n\n\`${esc}[31mred\`\n\n[${esc}[5m](http://${esc}[0m)`],
		['bidi and zero-width', 'a\u202eb\u200bc\u{e0041}d'],
		['deep quotes', `${'>'.repeat(5000)} deep`],
		['deep lists', Array.from({length: 300}, (_, depth) => `${'  '.repeat(depth)}- x`).join('\n')],
		['unclosed brackets', '['.repeat(20_000)],
		['unclosed emphasis', '*a _b '.repeat(8000)],
		['unclosed links', '[a]('.repeat(8000)],
		['backticks', Array.from({length: 300}, (_, count) => '`'.repeat(count)).join(' ')],
		['a wide table', `|${'a|'.repeat(3000)}\n|${'-|'.repeat(3000)}\n|${'b|'.repeat(3000)}`],
		['a long word', 'x'.repeat(30_000)],
		['angle brackets', '<'.repeat(20_000)],
		['emphasis without end', '*a_'.repeat(10_000)],
		['a long word of wide letters', '機'.repeat(30_000)],
		['a long word of marks', 'e\u0301'.repeat(16_000)],
	])(
		'%s: every line fits and holds nothing that a terminal obeys',
		async (_, card) => {
			for (const line of cardLines(await readCard(card, new AbortController().signal), {width: 60, screen})) {
				const text = renderLine(line, 60, screen.drawing);
				expect([...text].every(char => char >= ' ' && char !== '\u007f')).toBe(true);
				expect(lineWidth([text])).toBeLessThanOrEqual(60);
			}
		},
		20_000,
	);
});
