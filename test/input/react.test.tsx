import type {Readable} from 'node:stream';
import {render, Text} from 'ink';
import TextInput from 'ink-text-input';
import {type ReactNode, useState} from 'react';
import {expect, onTestFinished, test, vi} from 'vitest';
import {createFocus} from '../../source/input/focus.ts';
import {showKeys} from '../../source/input/key-name.ts';
import {
	InputProvider,
	LayerScope,
	useBindings,
	useFocus,
	useFocusRing,
	useInkField,
	useIsFocused,
	useRouterSnapshot,
} from '../../source/input/react.tsx';
import {createRouter} from '../../source/input/router.ts';
import {createDecoder} from '../../source/terminal/decoder.ts';
import {InkStdin, InkStdout} from '../../source/terminal/ink-streams.ts';

/** Renders into the streams that the session gives Ink; `type` is one burst of bytes from the terminal. */
function mount(children: ReactNode) {
	let frame = '';
	const stdout = new InkStdout(
		{
			write(output, done) {
				frame = output;
				queueMicrotask(done);
				return true;
			},
		},
		() => ({columns: 80, rows: 24}),
	);
	const inkStdin = new InkStdin();
	const stdin: Readable = inkStdin;
	const router = createRouter();
	const focus = createFocus();
	let commits = 0;
	const ink = render(
		<InputProvider router={router} focus={focus} feed={sequence => inkStdin.feed(sequence)}>
			{children}
		</InputProvider>,
		{stdin, stdout, debug: true, exitOnCtrlC: false, patchConsole: false, onRender: () => commits++},
	);
	onTestFinished(() => ink.unmount());
	const decoder = createDecoder();
	return {
		router,
		focus,
		commits: () => commits,
		type(bytes: string) {
			router.dispatch([...decoder.push(new TextEncoder().encode(bytes)), ...decoder.flush()]);
		},
		shows: (text: string) => vi.waitFor(() => expect(frame).toContain(text), {timeout: 20_000}),
		frame: () => frame,
		ink,
	};
}

function Counter() {
	const [count, setCount] = useState(0);
	useBindings({
		id: 'counter',
		level: 'pane',
		bindings: [
			{keys: ['j'], action: 'next', description: 'next', batch: true, run: () => setCount(n => n + 1)},
			{keys: ['z'], action: 'zero', description: 'zero', run: () => setCount(0)},
		],
	});
	return <Text>count {count}</Text>;
}

test('a hundred keys of one burst are one commit', async () => {
	const program = mount(<Counter />);
	await program.shows('count 0');
	const before = program.commits();
	program.type('j'.repeat(100));
	await program.shows('count 100');
	expect(program.commits() - before).toBe(1);
});

function Dialog({close}: {readonly close: (answer: string) => void}) {
	const answer = (text: string) => () => close(text);
	useBindings({
		id: 'confirm',
		level: 'dialog',
		modal: true,
		bindings: [
			{keys: ['y'], action: 'confirm.yes', description: 'yes', run: answer('yes')},
			{keys: ['n'], action: 'confirm.no', description: 'no', run: answer('no')},
		],
	});
	return <Text>sure?</Text>;
}

function Asking() {
	const [isOpen, setIsOpen] = useState(false);
	const [answers, setAnswers] = useState<readonly string[]>([]);
	useBindings({
		id: 'pane',
		level: 'pane',
		bindings: [
			{keys: ['d'], action: 'delete', description: 'delete', run: () => setIsOpen(true)},
			{keys: ['y'], action: 'copy', description: 'copy', run: () => setAnswers(all => [...all, 'copied'])},
		],
	});
	return (
		<>
			<Text>answers: {answers.join(' ')}.</Text>
			{isOpen && (
				<Dialog
					close={answer => {
						setAnswers(all => [...all, answer]);
						setIsOpen(false);
					}}
				/>
			)}
		</>
	);
}

test('in one burst, what is typed behind the key that opens a dialog goes to the dialog', async () => {
	const program = mount(<Asking />);
	await program.shows('answers');
	program.type('dnydyy');
	await program.shows('answers: no copied yes copied.');
});

function Form() {
	const [value, setValue] = useState('');
	const [sent, setSent] = useState('');
	useInkField({
		id: 'name',
		level: 'dialog',
		bindings: [{keys: ['enter'], action: 'form.send', description: 'send', run: () => setSent(value)}],
	});
	return (
		<>
			<TextInput value={value} onChange={setValue} showCursor={false} />
			<Text>sent “{sent}”</Text>
		</>
	);
}

test('ink-text-input takes a burst a key at a time, with Return and backspace in it, and a paste whole', async () => {
	const program = mount(<Form />);
	await program.shows('sent');
	program.type('hallo\u007f\u007f\u007fello é\r');
	await program.shows('sent “haello é”');
	program.type('\u001b[200~ a\nb\u001b[201~\r');
	await program.shows('sent “haello é a b”');
});

function Pane({id}: {readonly id: string}) {
	const isFocused = useIsFocused(id);
	useBindings({
		id,
		level: 'pane',
		active: isFocused,
		bindings: [
			{keys: ['o'], action: `${id}.open`, description: `open ${id}`, footer: 1, run: () => undefined},
		],
	});
	return <Text>{isFocused ? `[${id}]` : id}</Text>;
}

function Panes() {
	const focus = useFocus();
	useFocusRing(['left', 'right']);
	useBindings({
		id: 'global',
		level: 'global',
		bindings: [{keys: ['tab'], action: 'focus.next', description: 'next pane', footer: 2, run: focus.next}],
	});
	const {active} = useRouterSnapshot();
	const footer = active.map(
		({keys, description}) => `${keys.map(chord => showKeys(chord)).join(',')} ${description}`,
	);
	return (
		<>
			<Pane id="left" />
			<Pane id="right" />
			<Text>{footer.join(' · ')}</Text>
		</>
	);
}

test('the footer follows the focus, and only the focused pane hears keys', async () => {
	const program = mount(<Panes />);
	await program.shows('o open left · tab next pane');
	expect(program.frame()).toContain('[left]');
	program.type('\t');
	await program.shows('o open right · tab next pane');
	expect(program.frame()).toContain('[right]');
});

function Nested() {
	const [typed, setTyped] = useState('');
	useBindings({
		id: 'form',
		level: 'dialog',
		modal: true,
		bindings: [{keys: ['x'], action: 'form.x', description: 'x', run: () => setTyped('wrong')}],
	});
	return (
		<LayerScope id="form">
			<Field typed={text => setTyped(before => before + text)} />
			<Text>typed {typed}</Text>
		</LayerScope>
	);
}

function Field({typed}: {readonly typed: (text: string) => void}) {
	useBindings({id: 'field', level: 'dialog', bindings: [], text: event => typed(event.text)});
	return null;
}

test('a field in a dialog gets the keys that its dialog binds', async () => {
	const program = mount(<Nested />);
	await program.shows('typed');
	program.type('xyx');
	await program.shows('typed xyx');
});

function Lost() {
	useFocus();
	return null;
}

test('a component outside a provider says what is missing', async () => {
	const stdin: Readable = new InkStdin();
	const stdout = new InkStdout({write: () => true}, () => ({columns: 80, rows: 24}));
	const ink = render(<Lost />, {stdin, stdout, debug: true, patchConsole: false});
	await expect(ink.waitUntilExit()).rejects.toThrow('useFocus needs an InputProvider above it');
});
