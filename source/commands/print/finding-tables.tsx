import {Box, renderToString, Text} from 'ink';
import inkTable from 'ink-table';
import type {PropsWithChildren, ReactNode} from 'react';
import {printable} from '../../terminal/printable.ts';
import {textWidth, truncate, wrap} from '../../terminal/width.ts';
import type {Finding, Section} from '../doctor-probes.ts';

// CommonJS: the default export is the module itself.
const Table = inkTable.default;

type Look = {readonly width: number; readonly utf8: boolean};

/**
 * Text that breaks no table. ink-table pads a cell by its characters, and a wide one takes two cells of the terminal: where
 * they do not come to the same, the numbers of characters stand in their place.
 */
function safe(text: string, utf8: boolean): string {
	const shown = printable(text, {ascii: !utf8});
	return textWidth(shown) === shown.length ? shown : printable(text, {ascii: true});
}

const frameSigns: Readonly<Record<string, string>> = {'─': '-', '│': '|'};

/** The frame's signs in ASCII, for a terminal that has no others. */
const inAscii = (text: string) => text.replaceAll(/[^\x20-\x7e]/g, sign => frameSigns[sign] ?? '+');

const Frame = ({children}: PropsWithChildren) => <Text dimColor>{children}</Text>;
const AsciiFrame = ({children}: PropsWithChildren) => <Text dimColor>{inAscii(String(children))}</Text>;
const Heading = ({children}: PropsWithChildren) => <Text bold>{children}</Text>;

const longest = (texts: readonly string[], heading: string) =>
	Math.max(heading.length, ...texts.map(text => text.length));

/** Details that a finding's row does not hold: words that were cut, and where the interface is broken. */
function restOf({subject, words, breaches = []}: Finding, isCut: boolean, {width, utf8}: Look): string[] {
	const ascii = !utf8;
	const sentence = isCut ? wrap(printable(`${subject}: ${words}`, {ascii}), width - 4) : [];
	const where = breaches.map(({path, expected, found}) => `${path}: expected ${expected}, found ${found}`);
	return [
		...sentence.map((line, at) => `${at === 0 ? '  ' : '    '}${line}`),
		...(breaches.length > 0 && !isCut ? [`  ${printable(subject, {ascii})}:`] : []),
		...where.flatMap(line => wrap(printable(line, {ascii}), width - 4).map(each => `    ${each}`)),
	];
}

/** One section as a table of at most `width` columns, and below it in full what its cells do not hold. */
function SectionTable({section, look}: {readonly section: Section; readonly look: Look}): ReactNode {
	const {width, utf8} = look;
	const findings = section.findings.map(finding => ({
		finding,
		state: finding.state as string,
		checked: safe(finding.subject, utf8),
		words: safe(finding.words, utf8),
		time: finding.ms === undefined ? '' : `${finding.ms.toFixed(0)} ms`,
	}));
	const isTimed = findings.some(({time}) => time !== '');
	const state = longest(
		findings.map(each => each.state),
		'state',
	);
	const time = isTimed
		? longest(
				findings.map(each => each.time),
				'time',
			)
		: 0;
	const columns = isTimed ? 4 : 3;
	// Two blanks in each column, a line before each and one behind the last.
	const room = width - (3 * columns + 1) - state - time;
	const all = {
		checked: longest(
			findings.map(each => each.checked),
			'checked',
		),
		words: longest(
			findings.map(each => each.words),
			'found',
		),
	};
	const checked = Math.min(all.checked, Math.max(Math.floor(room / 2), room - all.words));
	const words = Math.min(all.words, room - checked);
	const ellipsis = utf8 ? '…' : '~';
	const rows = findings.map(each => ({
		state: each.state,
		checked: truncate(each.checked, checked, {ellipsis, cut: 'middle'}),
		found: truncate(each.words, words, {ellipsis}),
		...(isTimed ? {time: each.time} : {}),
	}));
	const rest = findings.flatMap(({finding, words: whole}) => restOf(finding, whole.length > words, look));
	return (
		<Box flexDirection="column">
			<Text bold>{truncate(safe(section.title, utf8), width, {ellipsis})}</Text>
			<Table data={rows} header={Heading} skeleton={utf8 ? Frame : AsciiFrame} />
			{rest.length > 0 ? <Text>{rest.join('\n')}</Text> : null}
			<Text> </Text>
		</Box>
	);
}

/** Sections as tables, for a terminal. */
export function findingTables(sections: readonly Section[], look: Look): string {
	return sections
		.map(section => renderToString(<SectionTable section={section} look={look} />, {columns: look.width}))
		.map(table => `${table}\n`)
		.join('');
}
