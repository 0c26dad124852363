import {type ReactNode, useEffect, useRef, useState} from 'react';
import {Dialog, type DialogRow} from '../../components/dialog.tsx';
import {fieldSegments} from '../../components/field.ts';
import {type KeyOf, keyWords, useKeyOf} from '../../components/key-words.ts';
import {useScreen} from '../../components/screen.tsx';
import {datasetName} from '../../contract/episode.ts';
import {useExplorer, useSelectionKnown} from '../../hooks/explorer.tsx';
import {type LineFieldState, useLineField} from '../../hooks/line-field.ts';
import type {Binding} from '../../input/binding.ts';
import {useBindings} from '../../input/react.tsx';
import type {Explorer} from '../../store/explorer.ts';
import {
	asksForRejected,
	type ComposeOutcome,
	composeSelection,
	leftOutWords,
} from '../../store/export/compose-selection.ts';
import {isNothing} from '../../store/selection/selection.ts';
import {overlaid} from '../../store/state/transitions.ts';
import {printableLines} from '../../terminal/printable.ts';
import {counted, grouped} from '../../terminal/quantity.ts';
import {hiddenWords} from '../selection/selection-bar.tsx';

type ComposeFormProps = {readonly width: number; readonly height: number};

const widest = 76;
const labelWidth = 6;
/** The frame, the view's two lines at the top, and the footer with one above it. */
const around = 6;
const category = 'New dataset';

/** Shown while nothing argues against composing. */
const explanation = [
	'The source episodes stay; the new dataset is a copy, ingested with its lineage.',
	'Videos are cut if the service has ffmpeg, otherwise copied whole; the uploads pane shows the bytes.',
];

const unable = 'This service cannot compose datasets; only the embedded service can.';
const nameRule = 'A name is letters, digits, dots, underscores and hyphens, the first a letter or digit.';

/** Composes one dataset from the selection, or from all that match: asks for its name, and says why it cannot be composed. */
export function ComposeForm({width, height}: ComposeFormProps): ReactNode {
	const explorer = useExplorer();
	const screen = useScreen();
	const known = useSelectionKnown();
	const composition = useComposition();
	const {field, reasons, isSending, rejected, withRejected} = composition;
	const bindings = composeBindings(composition, explorer);
	useBindings({id: 'compose', level: 'dialog', modal: true, bindings, ...(!isSending && {text: field.type})});

	const keyOf = useKeyOf(bindings);
	const wide = Math.min(widest, width);
	const inner = Math.max(1, wide - 4);
	const wrapped = (text: string) => printableLines(text, inner, screen.drawing);
	const row = (role: 'dim' | 'bad' | 'warning') => (text: string) => ({segments: [' ', {text, role}]});
	const words = (text: string): DialogRow[] => wrapped(text).map(row('dim'));
	const hidden = hiddenWords(explorer.state.getState().selection, known);
	const rows: DialogRow[] = [
		{
			segments: [
				' ',
				screen.cell('name', labelWidth, {role: 'focus'}),
				...fieldSegments(field.field, Math.max(1, inner - labelWidth), screen),
			],
		},
		...(hidden === undefined ? [] : wrapped(hidden).map(row('warning'))),
		...(rejected === 0 ? [] : wrapped(rejectedWords(rejected, withRejected, keyOf)).map(row('warning'))),
		...(reasons.length > 0 ? [] : explanation.flatMap(words)),
		...(isSending ? words('Collecting the episodes and starting.') : []),
	];
	const room = Math.max(1, height - around);
	const said = reasonLines(reasons.map(wrapped), {
		room: room - rows.length - 1,
		ellipsis: screen.signs.ellipsis,
	});
	if (said.length > 0) rows.push({segments: []}, ...said.map(row('bad')));
	return (
		<Dialog
			title={`Compose a dataset from ${useSubject()}`}
			aside={keyWords(keyOf, [['compose.order', 'create']]).join('')}
			width={wide}
			rows={rows.slice(0, room)}
			screenWidth={width}
			screenHeight={height}
		/>
	);
}

/** Names the episodes that the dataset is composed from. */
function useSubject(): string {
	const explorer = useExplorer();
	const {summary} = useSelectionKnown();
	if (!isNothing(explorer.state.getState().selection)) {
		return summary === undefined ? '' : counted(summary.episodes, 'episode');
	}
	return `all that match: ${grouped(explorer.window.result.getState().totals?.episodes ?? 0)}`;
}

type Composition = {
	/** The name of the new dataset. */
	readonly field: LineFieldState;
	/** Why the dataset cannot be composed, a sentence each. */
	readonly reasons: readonly string[];
	readonly isSending: boolean;
	/** How many of the episodes are rejected, and whether they are included. */
	readonly rejected: number;
	readonly withRejected: boolean;
	readonly toggleRejected: () => void;
	readonly compose: () => void;
};

/** The state of the form, and what it asks of the service. */
function useComposition(): Composition {
	const explorer = useExplorer();
	// The selection as the form opens: the lake can change meanwhile.
	const [selection] = useState(() => explorer.selection.subject());
	const [isSending, setSending] = useState(false);
	const [reasons, setReasons] = useState<readonly string[]>([]);
	const [rejected, setRejected] = useState(0);
	const [withRejected, setWithRejected] = useState(() => asksForRejected(selection));
	// Enter can follow the toggle before the next frame.
	const isWith = useRef(withRejected);
	// Another name, or other episodes, answers what was said about these.
	const changed = () => setReasons(before => (before[0] === unable ? before : []));
	const field = useLineField('', changed);
	// Leaving the form stops collecting episodes; a dataset that was ordered is composed all the same.
	const [asking] = useState(() => new AbortController());
	useEffect(() => () => asking.abort(), [asking]);
	useEffect(() => {
		const {signal} = asking;
		// If the count fails, the notice at the end says how many were left out.
		explorer.selection.holding(signal).then(
			holding => setRejected(holding.rejected),
			() => undefined,
		);
		explorer.local.can('compose', signal).then(
			isAble => isAble || setReasons([unable]),
			() => undefined,
		);
	}, [explorer, asking]);

	const ended = (outcome: ComposeOutcome) => {
		setSending(false);
		if (outcome.kind === 'refused') return setReasons(outcome.reasons);
		if (outcome.kind === 'unknown') return setReasons([outcome.reason]);
		if (!asking.signal.aborted) explorer.update(overlaid(undefined));
		const {dataset_name, episode_count, parents, rejected_left_out} = outcome.record;
		const of = `${counted(episode_count, 'episode')} of ${counted(parents.length, 'dataset')}`;
		const left = leftOutWords(rejected_left_out);
		const text = `${dataset_name} is being composed from ${of}${left ? `; ${left}` : ''}.`;
		explorer.notify('info', text, {action: 'view.uploads', does: 'shows progress'});
		explorer.local.refetchIngests();
		explorer.uploads.refetch();
	};
	const compose = async () => {
		const name = field.now().text.trim();
		if (!datasetName.safeParse(name).success) return setReasons([nameRule]);
		setSending(true);
		setReasons([]);
		try {
			const isAble = await explorer.local.can('compose', asking.signal);
			const wanted = {name, selection, withRejected: isWith.current};
			ended(
				isAble
					? await composeSelection(explorer, wanted, asking.signal)
					: {kind: 'refused', reasons: [unable]},
			);
		} catch (error) {
			if (asking.signal.aborted) return;
			ended({kind: 'refused', reasons: [error instanceof Error ? error.message : String(error)]});
		}
	};
	return {
		field,
		reasons,
		isSending,
		rejected,
		withRejected,
		toggleRejected() {
			isWith.current = !isWith.current;
			setWithRejected(isWith.current);
			changed();
		},
		compose: () => void compose(),
	};
}

function composeBindings(
	{isSending, rejected, compose, toggleRejected}: Composition,
	explorer: Explorer,
): readonly Binding[] {
	return [
		{
			keys: ['enter'],
			action: 'compose.order',
			description: 'create',
			category,
			footer: 1,
			when: () => !isSending,
			run: compose,
		},
		{
			keys: ['ctrl+r'],
			action: 'compose.rejected',
			description: 'include or exclude rejected',
			hint: 'rejected in or out',
			category,
			footer: 3,
			when: () => !isSending && rejected > 0,
			run: toggleRejected,
		},
		{
			keys: ['ctrl+r', 'enter'],
			action: 'compose.why-not',
			description: 'why this does nothing',
			category,
			run: () =>
				explorer.notify(
					'info',
					isSending ? 'The episodes are being collected.' : 'None of these episodes is rejected.',
				),
		},
		{
			keys: ['esc'],
			action: 'compose.leave',
			description: 'cancel',
			category,
			footer: 2,
			run: () => explorer.update(overlaid(undefined)),
		},
	];
}

function rejectedWords(count: number, isWith: boolean, keyOf: KeyOf): string {
	const way = keyWords(keyOf, [['compose.rejected', isWith ? 'excludes them' : 'includes them']]).join('');
	const becomes = isWith ? 'included' : 'excluded';
	return `${grouped(count)} of them rejected: ${becomes}${way === '' ? '' : `; ${way}`}.`;
}

type ReasonRoom = {readonly room: number; readonly ellipsis: string};

/** Lines of one reason, so that a long one does not hide the next. */
const mostLines = 4;

/**
 * The lines of as many reasons as fit, and the number of the others.
 *
 * @param reasons the lines of each.
 */
export function reasonLines(
	reasons: readonly (readonly string[])[],
	{room, ellipsis}: ReasonRoom,
): readonly string[] {
	const shown = reasons.map(lines =>
		lines.length > mostLines ? [...lines.slice(0, mostLines), ellipsis] : lines,
	);
	if (shown.flat().length <= room) return shown.flat();
	const fitting: string[] = [];
	let left = shown.length;
	for (const lines of shown) {
		if (fitting.length + lines.length >= room) break;
		fitting.push(...lines);
		left--;
	}
	return room > 0 ? [...fitting, `${ellipsis} and ${left} more`] : [];
}
