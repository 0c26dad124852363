import type {Screen} from '../../components/screen.tsx';
import {type Link, printLink} from '../../store/links/link.ts';
import type {LineTarget, OpenedLine} from '../list/opened-line.ts';

const labelWidth = 14;

/** A line that leads somewhere: what it is to the opened one, what it is called, what is told of it. */
export function targetLine(
	{label, text, aside = ''}: {label: string; text: string; aside?: string},
	target: LineTarget,
	{screen}: {screen: Screen},
): OpenedLine {
	return {
		segments: [
			' ',
			screen.cell(label, labelWidth, {role: 'dim'}),
			' ',
			{text, role: 'accent'},
			{text: aside === '' ? '' : `  ${aside}`, role: 'dim'},
		],
		target,
	};
}

/** The target that a link is. */
export function linkTarget(link: Link, to: (link: Link) => void): LineTarget {
	return {id: printLink(link), description: `to the ${link.kind}`, enter: () => to(link)};
}
