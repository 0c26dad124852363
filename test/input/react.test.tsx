import type {Readable} from 'node:stream';
import {Box, render, Text} from 'ink';
import {type ReactNode, useState} from 'react';
import {expect, onTestFinished, test, vi} from 'vitest';
import {useStore} from 'zustand';
import {createStore} from 'zustand/vanilla';
import {pass} from '../../source/input/binding.ts';
import {createFocus} from '../../source/input/focus.ts';
import {showKeys} from '../../source/input/key-name.ts';
import {
	InputProvider,
	useBindings,
	useFocus,
	useFocusedPane,
	useFocusRing,
	useMouseArea,
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
	const stdin: Readable = new InkStdin();
	const router = createRouter();
	const focus = createFocus();
	let commits = 0;
	const ink = render(
		<InputProvider router={router} focus={focus}>
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

function Pane({id}: {readonly id: string}) {
	const isFocused = useFocusedPane() === id;
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

function View({id, hear}: {readonly id: string; readonly hear: (id: string) => void}) {
	useFocusRing([id]);
	const isFocused = useFocusedPane() === id;
	useBindings({
		id,
		level: 'pane',
		active: isFocused,
		bindings: [{keys: ['o'], action: 'open', description: 'open', run: () => hear(id)}],
	});
	return null;
}

/** As in the explorer, where the view belongs to the store and not to a component. */
const shown = createStore(() => ({view: 'lake'}));

function Views() {
	const [heard, setHeard] = useState<readonly string[]>([]);
	const view = useStore(shown, ({view}) => view);
	useBindings({
		id: 'global',
		level: 'global',
		bindings: ['lake', 'jobs'].map((name, index) => ({
			keys: [String(index + 1)],
			action: `view.${name}`,
			description: name,
			run: () => shown.setState({view: name}),
		})),
	});
	return (
		<>
			<View key={view} id={view} hear={id => setHeard(all => [...all, id])} />
			<Text>opened: {heard.join(' ')}.</Text>
		</>
	);
}

test('in one burst, what is typed behind the key that changes the view goes to the pane that has the focus there', async () => {
	const program = mount(<Views />);
	await program.shows('opened: .');
	program.type('2o1o2o');
	await program.shows('opened: jobs lake jobs.');
});

function Areas() {
	const [heard, setHeard] = useState<readonly string[]>([]);
	const hear = (what: string) => setHeard(all => [...all, what]);
	const upper = useMouseArea({
		id: 'upper',
		level: 'pane',
		press: (row, column) => hear(`press ${row},${column}`),
		wheel: rows => hear(`wheel ${rows}`),
	});
	const lower = useMouseArea({id: 'lower', level: 'pane', press: () => pass});
	const behind = useMouseArea({id: 'behind', level: 'view', press: () => hear('behind')});
	return (
		<Box ref={behind} flexDirection="column" paddingTop={1} paddingLeft={3}>
			<Box ref={upper} height={2} width={10} />
			<Box ref={lower} height={1} width={10} />
			<Text>heard: {heard.join(' ')}.</Text>
		</Box>
	);
}

test('a press and the wheel reach the box under the pointer, in its own cells', async () => {
	const program = mount(<Areas />);
	await program.shows('heard');
	program.type('\u001b[<0;6;3M\u001b[<0;6;3m\u001b[<65;4;2M\u001b[<64;4;2M\u001b[<2;4;2M');
	await program.shows('heard: press 1,2 wheel 3 wheel -3.');
	program.type('\u001b[<0;4;4M\u001b[<0;1;1M');
	await program.shows('wheel -3 behind behind.');
});

test('many notches of the wheel in one burst are one commit', async () => {
	const program = mount(<Areas />);
	await program.shows('heard');
	const before = program.commits();
	program.type('\u001b[<65;4;2M'.repeat(40));
	await program.shows(`heard:${' wheel 3'.repeat(3)}`);
	expect(program.commits() - before).toBe(1);
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
