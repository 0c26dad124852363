import type {Capabilities, Environment} from '../capabilities.ts';
import type {ScreenSize} from '../ink-streams.ts';
import type {Questions} from '../questions.ts';
import {kittyPicture, kittyPictureInTmux, mostPlaceholders, pictureNumbers} from './kitty.ts';
import {PictureLayer, type SentPicture} from './picture-layer.ts';
import {
	askTmux,
	chooseWay,
	type Extent,
	type PictureAnswers,
	type PictureChoice,
	type PictureWay,
} from './picture-protocol.ts';
import {pictureQuestions} from './picture-questions.ts';

/** Shows pictures on the terminal, in the way that it can. */
export type ImageRenderer = {
	/** How pictures are shown here. The terminal is asked the first time, and waited for no longer than a bound. */
	way(): Promise<PictureWay>;
	/**
	 * Takes a picture that is to lie on some cells: a PNG in base64 for kitty and iTerm2, a whole sequence for sixel.
	 *
	 * @returns what is to be drawn into each of these cells.
	 */
	put(picture: string, cells: Extent): string;
	/** Forgets a picture by what its cells hold. */
	drop(mark: string): void;
	/** Cells of a side that a picture may cover. */
	readonly mostCells: number;
};

export type ImageRendererOptions = {
	readonly choice: PictureChoice;
	readonly capabilities: Capabilities;
	readonly env: Environment;
	readonly ask: Questions['ask'];
	readonly size: () => ScreenSize;
	/** Gives the pictures to who draws the screen. @returns whether that can draw them */
	readonly attach: (pictures: PictureLayer) => boolean;
	/** Draws everything anew. */
	readonly repaint: () => void;
};

export function createImageRenderer(options: ImageRendererOptions): ImageRenderer {
	const {choice, capabilities, env} = options;
	const layer = new PictureLayer();
	const numbers = pictureNumbers();
	const isInTmux = capabilities.multiplexer === 'tmux';
	let known: Promise<PictureWay> | undefined;
	let kind: PictureWay['kind'] = 'off';

	async function find(): Promise<PictureWay> {
		if (choice === 'off' || choice === 'blocks') return {kind: choice};
		if (!capabilities.answers || capabilities.isSpoken) return {kind: 'blocks'};
		if (!options.attach(layer)) return {kind: 'blocks', why: 'LAKESCOPE_WRITER is not cells'};
		const pane = env.TMUX === undefined ? undefined : env.TMUX_PANE;
		const [answers, tmux] = await Promise.all([
			ask(options),
			pane === undefined || choice !== 'auto' ? undefined : askTmux(pane),
		]);
		// An answer may still come: next time it is asked again.
		if (!answers.isAnswered) known = undefined;
		if (answers.isQuestionShown) options.repaint();
		const {multiplexer, isRemote} = capabilities;
		const program = env.LC_TERMINAL || env.TERM_PROGRAM;
		return chooseWay(answers, {choice, multiplexer, isRemote, program, tmux});
	}

	function sent(picture: string, cells: Extent): SentPicture {
		if (kind === 'iterm2') return iterm2Picture(picture, cells);
		if (kind === 'sixel') return {...cells, data: [], draw: picture, cancel: '', remove: '', scrolls: true};
		return (isInTmux ? kittyPictureInTmux : kittyPicture)(picture, cells, numbers.next());
	}

	return {
		async way() {
			known ??= find();
			const way = await known;
			({kind} = way);
			return way;
		},
		put: (picture, cells) => layer.put(sent(picture, cells)),
		drop: mark => layer.drop(mark),
		mostCells: isInTmux ? mostPlaceholders : Number.POSITIVE_INFINITY,
	};
}

function ask({ask: put, capabilities, size}: ImageRendererOptions): Promise<PictureAnswers> {
	const {columns, rows} = size();
	const about = {screen: {width: columns, height: rows}, isDirect: capabilities.multiplexer === 'none'};
	return new Promise(resolve => put(pictureQuestions(about, resolve)));
}

/** iTerm2's inline picture: a file in base64, scaled by the terminal to its cells, gone once they are written. */
export function iterm2Picture(base64: string, {width, height}: Extent): SentPicture {
	const padding = /=*$/.exec(base64)?.[0].length ?? 0;
	const size = (base64.length / 4) * 3 - padding;
	const place = `width=${width};height=${height};preserveAspectRatio=0`;
	return {
		width,
		height,
		draw: `\u001b]1337;File=inline=1;size=${size};${place}:${base64}\u0007`,
		data: [],
		cancel: '',
		remove: '',
		scrolls: true,
	};
}
