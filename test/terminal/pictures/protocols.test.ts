import {expect, test} from 'vitest';
import {
	diacritic,
	kittyPicture,
	kittyPictureInTmux,
	mostDiacritics,
	pictureNumbers,
} from '../../../source/terminal/pictures/kitty.ts';
import {iterm2Picture} from '../../../source/terminal/pictures/picture-renderer.ts';
import {textWidth} from '../../../source/terminal/width.ts';

const esc = '\u001b';
const bytes = Buffer.from(Array.from({length: 10_000}, (_, at) => (at * 31) & 0xff));
const base64 = bytes.toString('base64');
const cells = {width: 30, height: 10};

/** The commands of kitty's protocol in a text that holds nothing else. */
function commands(text: string): {keys: string; data: string}[] {
	return text
		.split(`${esc}\\`)
		.slice(0, -1)
		.map(command => {
			expect(command.startsWith(`${esc}_G`)).toBe(true);
			const [keys = '', data = ''] = command.slice(3).split(';');
			return {keys, data};
		});
}

test('kitty: chunks of 4096 characters, which put together are the file; none of them is answered', () => {
	const sent = commands(kittyPicture(base64, cells, 77).data.join(''));
	expect(sent.map(({keys}) => keys)).toEqual(['a=t,i=77,f=100,q=2,m=1', 'q=2,m=1', 'q=2,m=1', 'q=2,m=0']);
	expect(sent.slice(0, -1).every(({data}) => data.length === 4096)).toBe(true);
	expect(Buffer.from(sent.map(({data}) => data).join(''), 'base64').equals(bytes)).toBe(true);
	const short = commands(kittyPicture('AAAA', cells, 1).data.join(''));
	expect(short).toEqual([{keys: 'a=t,i=1,f=100,q=2,m=0', data: 'AAAA'}]);
	const long = kittyPicture('A'.repeat(200_000), cells, 1).data;
	expect(long.map(piece => commands(piece).length)).toEqual([16, 16, 16, 1]);
});

test('kitty: drawn by its number wherever it moves, deleted with its data', () => {
	const {draw, cancel, remove} = kittyPicture(base64, cells, 77);
	expect(commands(draw + cancel + remove).map(({keys}) => keys)).toEqual([
		'a=p,i=77,p=1,c=30,r=10,C=1,q=2',
		'q=2,m=0',
		'a=d,d=I,i=77,q=2',
	]);
});

test('through tmux every command is wrapped by itself, and each cell says which part of which picture it is', () => {
	const id = 0x05000042;
	const {data, draw, remove, line} = kittyPictureInTmux(base64, cells, id);
	const wrapped = (data.join('') + draw + remove).split(`${esc}Ptmux;`).slice(1);
	expect(wrapped.every(part => part.endsWith(`${esc}${esc}\\${esc}\\`))).toBe(true);
	const inner = wrapped.map(part => part.slice(0, -2).replaceAll(esc + esc, esc)).join('');
	const sent = commands(inner);
	expect(sent[0]?.keys).toBe(`a=T,U=1,i=${id},c=30,r=10,f=100,q=2,m=1`);
	expect(sent.at(-1)?.keys).toBe(`a=d,d=I,i=${id},q=2`);
	const row = line?.(2) ?? '';
	expect(row.startsWith(`${esc}[38;5;66m\u{10eeee}\u030e\u0305\u033d\u{10eeee}\u030e\u030d\u033d`)).toBe(
		true,
	);
	expect(textWidth(row.replaceAll(/\p{Cc}\[[\d;]*m/gu, ''))).toBe(30);
});

test('the marks that count are as many as promised, each another, none with a width', () => {
	const all = Array.from({length: mostDiacritics}, (_, at) => diacritic(at));
	expect(new Set(all).size).toBe(mostDiacritics);
	expect(all.every(mark => /^\p{Mn}$/u.test(mark) && textWidth(`a${mark}`) === 1)).toBe(true);
	expect(() => diacritic(mostDiacritics)).toThrow(RangeError);
	expect(all.slice(0, 4)).toEqual(['\u0305', '\u030d', '\u030e', '\u0310']);
});

test('numbers fit into a colour and a mark, whatever the dice say', () => {
	for (const random of [0, 0.5, 0.999999]) {
		const numbers = pictureNumbers(() => random);
		const given = Array.from({length: 255}, () => numbers.next());
		expect(new Set(given).size).toBe(255);
		expect(given.every(id => (id & 0x00ffff00) === 0 && (id & 0xff) > 0)).toBe(true);
		expect(given.every(id => diacritic(id >>> 24) !== '' && id >>> 24 > 0)).toBe(true);
	}
});

test.each([9_998, 9_999, 10_000])('iTerm2: one file of %i bytes, told so, on its cells', length => {
	const {draw} = iterm2Picture(bytes.subarray(0, length).toString('base64'), cells);
	const place = 'width=30;height=10;preserveAspectRatio=0';
	expect(draw.startsWith(`${esc}]1337;File=inline=1;size=${length};${place}:`)).toBe(true);
	expect(draw.endsWith('\u0007')).toBe(true);
	const data = draw.slice(draw.indexOf(':') + 1, -1);
	expect(Buffer.from(data, 'base64').equals(bytes.subarray(0, length))).toBe(true);
});
