import type {Round} from '../questions.ts';
import type {Extent, PictureAnswers} from './picture-protocol.ts';

/**
 * A picture of one pixel that is not kept (kitty's graphics protocol, "Querying support"). Terminal.app shows it as text:
 * as hidden text, and the cursor goes back to where the next frame takes it to be.
 */
const kittyQuery = '\u001b7\u001b[8m\u001b_Gi=1,s=1,v=1,a=q,t=d,f=24;AAAA\u001b\\\u001b8';
const iterm2CellSize = '\u001b]1337;ReportCellSize\u0007';
const version = '\u001b[>q';
const cellSize = '\u001b[16t';
const windowSize = '\u001b[14t';

type QuestionsAbout = {
	/** The screen in cells, for terminals that tell their size in pixels only whole. */
	readonly screen: Extent;
	/** The terminal itself is asked: tmux takes kitty's question for a title. */
	readonly isDirect: boolean;
};

/** Asks the terminal how it can show pictures. */
export function pictureQuestions(
	{screen, isDirect}: QuestionsAbout,
	answered: (answers: PictureAnswers) => void,
): Round {
	let name: string | undefined;
	let kitty: boolean | undefined;
	let iterm2 = false;
	let sixel = false;
	let cell: Extent | undefined;
	let shared: Extent | undefined;
	return {
		text: (isDirect ? kittyQuery + iterm2CellSize : '') + version + cellSize + windowSize,
		hear({kind, data}) {
			if (kind === 'apc' && data.startsWith('G')) kitty = /;OK$/.test(data);
			// Attribute 4 is sixel (VT340 and what came after).
			if (kind === 'device-attributes') sixel ||= /^\?[\d;]*;4(?=[;c])/.test(data);
			if (kind === 'dcs' && data.startsWith('>|')) name = data.slice(2);
			if (kind === 'osc' && data.startsWith('1337;ReportCellSize=')) iterm2 = true;
			const [, what, height = 0, width = 0] = (kind === 'window' && sizeReply.exec(data)) || [];
			if (what === '6') cell = soundCell({width: Number(width), height: Number(height)});
			if (what === '4') {
				shared = soundCell({width: Number(width) / screen.width, height: Number(height) / screen.height});
			}
		},
		over: ({isAnswered, milliseconds}) =>
			answered({
				isAnswered,
				milliseconds,
				name,
				kitty: kitty ?? false,
				iterm2,
				sixel,
				cell: cell ?? shared,
				isQuestionShown: isDirect && kitty === undefined && name === undefined,
			}),
	};
}

const sizeReply = /^(4|6);(\d{1,6});(\d{1,6})t$/;

/** Some terminals tell 0, others make one up: no cell is smaller or larger than these. */
function soundCell({width, height}: Extent): Extent | undefined {
	const whole = {width: Math.floor(width), height: Math.floor(height)};
	return whole.width >= 3 && whole.height >= 6 && whole.width <= 100 && whole.height <= 200
		? whole
		: undefined;
}
