import {type Instance, render, renderToString} from 'ink';
import type {ReactNode} from 'react';
import {describe, expect, onTestFinished, test} from 'vitest';
import {createCellWriter} from '../../../source/terminal/cells/cell-writer.ts';
import {InkStdin, InkStdout} from '../../../source/terminal/ink-streams.ts';
import {randomFrom, times} from '../../faults/support/soak.ts';
import {changed, randomScreen, randomSize, screenTree} from './support/random-frames.ts';
import {looks, terminalOf, written} from './support/terminals.ts';

type Size = {columns: number; rows: number};

const redraw = '\u001b[0m\u001b[H\u001b[2J';

/** A terminal on which each frame is drawn whole, from nothing. */
function referenceOn(size: Size) {
	const terminal = terminalOf(size.columns, size.rows);
	onTestFinished(() => terminal.dispose());
	return {
		resize: (next: Size) => terminal.resize(next.columns, next.rows),
		async drawn(frame: string): Promise<string> {
			await written(terminal, redraw + frame.split('\n').slice(0, terminal.rows).join('\r\n'));
			return looks(terminal);
		},
	};
}

/** Has Ink draw whole frames. */
function draw(tree: ReactNode, stdout: InkStdout): Instance {
	const stdin = new InkStdin() as unknown as NodeJS.ReadStream;
	return render(tree, {
		stdin,
		stdout: stdout as unknown as NodeJS.WriteStream,
		patchConsole: false,
		exitOnCtrlC: false,
		interactive: true,
		debug: true,
	});
}

/** A cell writer before a terminal of its own. */
function writerOn(size: Size) {
	const terminal = terminalOf(size.columns, size.rows);
	onTestFinished(() => terminal.dispose());
	const output: string[] = [];
	const reference = referenceOn(size);
	const writer = createCellWriter(
		{write: text => output.push(text), isTaken: true, whenTaken: listener => listener()},
		() => size,
		{frameMs: 0},
	);
	writer.start();
	return {
		writer,
		resize(next: Size) {
			Object.assign(size, next);
			terminal.resize(next.columns, next.rows);
			reference.resize(next);
			writer.repaint();
		},
		/** Fails where the screen is another than the frame leaves, once the writer has nothing more to write. */
		async expectFrame(frame: string, turn: number): Promise<void> {
			// The first turn of the loop begins the frame, the second ends it.
			await new Promise(resolve => setImmediate(resolve));
			await new Promise(resolve => setImmediate(resolve));
			await written(terminal, output.splice(0).join(''));
			const [seen, meant] = [looks(terminal), await reference.drawn(frame)];
			if (seen !== meant) expect(seen, `turn ${turn} of ${JSON.stringify(frame)}`).toBe(meant);
		},
	};
}

describe('what is on the screen is what a whole frame would leave', () => {
	test('frames as text', {timeout: 1_800_000}, async () => {
		const random = randomFrom(1);
		const size = {columns: 40, rows: 12};
		const {writer, resize, expectFrame} = writerOn(size);
		let screen = randomScreen(random, size);
		for (let turn = 0; turn < times(150, 6000); turn++) {
			if (random() < 0.05) resize(randomSize(random));
			screen = changed(screen, random, size);
			const frame = renderToString(screenTree(screen, size), {columns: size.columns});
			writer.sink.write(frame, () => undefined);
			await expectFrame(frame, turn);
		}
	});

	test('frames read off Ink’s tree, and those that Ink has to draw itself', {
		timeout: 1_800_000,
	}, async () => {
		const random = randomFrom(2);
		const size = {columns: 40, rows: 12};
		const {writer, resize, expectFrame} = writerOn(size);
		let frame = '';
		const keep = (text: string) => {
			frame = text;
			return true;
		};
		const kept = new InkStdout({write: keep}, () => size);
		const cells = new InkStdout(writer.sink, () => size);
		let screen = randomScreen(random, size);
		const whole = draw(screenTree(screen, size), kept);
		const followed = draw(screenTree(screen, size, writer.follow), cells);
		onTestFinished(() => {
			writer.stop();
			whole.unmount();
			followed.unmount();
		});
		for (let turn = 0; turn < times(350, 14_000); turn++) {
			if (random() < 0.05) {
				resize(randomSize(random));
				kept.emit('resize');
				cells.emit('resize');
			}
			screen = changed(screen, random, size);
			whole.rerender(screenTree(screen, size));
			followed.rerender(screenTree(screen, size, writer.follow));
			await expectFrame(frame, turn);
		}
	});
});

test('a slow reader gets the newest frame, not those it missed', async () => {
	const size = {columns: 20, rows: 2};
	const terminal = terminalOf(size.columns, size.rows);
	onTestFinished(() => terminal.dispose());
	let isTaken = true;
	let release: () => void = () => undefined;
	const sent: string[] = [];
	const writer = createCellWriter(
		{
			write: text => sent.push(text),
			get isTaken() {
				return isTaken;
			},
			whenTaken(listener) {
				if (isTaken) listener();
				else release = listener;
			},
		},
		() => size,
		{frameMs: 0},
	);
	writer.start();
	const turn = () => new Promise(resolve => setImmediate(resolve));
	for (let frame = 1; frame <= 50; frame++) {
		writer.sink.write(`frame ${frame}`, () => undefined);
		await turn();
		await turn();
		isTaken = frame < 3;
	}
	expect(sent).toHaveLength(3);
	isTaken = true;
	release();
	expect(sent).toHaveLength(4);
	await written(terminal, sent.join(''));
	expect(looks(terminal)).toContain('frame 50');
	writer.stop();
});
