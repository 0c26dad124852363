import {Box, render, Text} from 'ink';
import TextInput from 'ink-text-input';
import {type Keyboard, type Typed, typedAt} from '../../terminal/asked-line.ts';
import {InkStdin} from '../../terminal/ink-streams.ts';
import {textWidth} from '../../terminal/width.ts';

/** More than any answer has; what is pasted beyond it is dropped. */
const longest = 8192;

/** A narrower field would show too little of an answer: it goes below the question. */
const leastField = 20;

type PromptOptions = {readonly isSecret: boolean; readonly keyboard: Keyboard};

/** Draws a question with a field behind it, until it is answered. @returns undefined if the user gave up. */
export async function drawPrompt(
	question: string,
	{isSecret, keyboard}: PromptOptions,
): Promise<string | undefined> {
	const {stderr} = process;
	const stdin = new InkStdin();
	const answered = Promise.withResolvers<string | undefined>();
	let value = '';
	let isOpen = true;

	function prompt() {
		const isBelow = (stderr.columns || 80) - textWidth(question) < leastField;
		return (
			<Box flexDirection={isBelow ? 'column' : 'row'}>
				<Box flexShrink={0}>
					<Text>{question}</Text>
				</Box>
				<Box height={1} overflow="hidden">
					<TextInput
						value={value}
						focus={isOpen}
						onChange={next => draw(next.slice(0, longest))}
						{...(isSecret ? {mask: '*'} : {})}
					/>
				</Box>
			</Box>
		);
	}

	function draw(next: string): void {
		value = next;
		ink.rerender(prompt());
	}

	const ink = render(prompt(), {
		stdin: stdin as unknown as NodeJS.ReadStream,
		stdout: stderr,
		stderr,
		exitOnCtrlC: false,
		patchConsole: false,
		interactive: true,
	});

	/** The field is told of one change at a time: it computes each from what it shows. */
	async function apply(typed: Typed): Promise<void> {
		if (typed.kind === 'end') answered.resolve(value);
		else if (typed.kind === 'give-up') answered.resolve(undefined);
		else if (typed.kind === 'clear') draw('');
		else {
			stdin.push(typed.kind === 'text' ? typed.text : typed.sequence);
			await ink.waitUntilRenderFlush();
		}
	}

	let applied = ink.waitUntilRenderFlush();
	keyboard.listen(
		events => {
			applied = applied.then(async () => {
				for (const typed of typedAt(events, value === '')) await apply(typed);
			});
		},
		() => answered.resolve(undefined),
	);
	const answer = await answered.promise;
	isOpen = false;
	draw(value);
	ink.unmount();
	await ink.waitUntilExit();
	return answer;
}
