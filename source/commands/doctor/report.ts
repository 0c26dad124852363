import {printable} from '../../terminal/printable.ts';
import type {Finding, Section, State} from './finding.ts';

const signs: Readonly<Record<State, string>> = {
	ok: 'ok',
	note: '--',
	problem: '!!',
	refused: '!!',
	unreachable: '!!',
	breach: '!!',
};

/** A finding as lines; every text in it may come from elsewhere. */
function linesOf({state, subject, words, ms, breaches = []}: Finding, width: number): string[] {
	const time = ms === undefined ? '' : `  ${ms.toFixed(0)} ms`;
	const line = `  ${signs[state]}  ${subject.padEnd(width)}  ${printable(words)}${time}`;
	const where = breaches.map(
		({path, expected, found}) => `        ${printable(`${path}: expected ${expected}, found ${found}`)}`,
	);
	return [line, ...where];
}

/** The sections as lines for people. */
export function reportLines(sections: readonly Section[]): string[] {
	return sections.flatMap(({title, findings}) => {
		const width = Math.max(...findings.map(({subject}) => subject.length));
		return [printable(title), ...findings.flatMap(finding => linesOf(finding, width)), ''];
	});
}
