import {type ReactNode, useCallback, useEffect, useMemo, useRef, useState} from 'react';
import {Dialog, type DialogRow} from '../../components/dialog.tsx';
import {fieldSegments} from '../../components/field.ts';
import {type KeyOf, keyWords, useKeyOf} from '../../components/key-words.ts';
import {useScreen} from '../../components/screen.tsx';
import {datasetName} from '../../contract/episode.ts';
import {useExplorer, useSelectionKnown} from '../../hooks/explorer.tsx';
import {useLineField} from '../../hooks/line-field.ts';
import type {Binding} from '../../input/binding.ts';
import {useBindings} from '../../input/react.tsx';
import {
	asksForRejected,
	type ComposeOutcome,
	composeSelection,
	leftOutWords,
} from '../../store/export/compose-selection.ts';
import {isNothing} from '../../store/state/selection.ts';
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

/** Gives way to the reasons why nothing can be made. */
const explanation = [
	'The source episodes stay; the new dataset is a copy, ingested with its lineage.',
	'Videos are cut if the service has ffmpeg, otherwise copied whole; the uploads pane shows the bytes.',
];

const unable = 'This service cannot compose datasets; only the embedded service can.';

/** Makes one dataset of what is selected, or of all that match: asks for its name, and shows why it cannot be made. */
export function ComposeForm({width, height}: ComposeFormProps): ReactNode {
	const explorer = useExplorer();
	const screen = useScreen();
	const known = useSelectionKnown();
	const {summary} = known;
	// What is selected as the form opens: the lake goes on meanwhile.
	const [selection] = useState(() => explorer.selection.subject());
	const [isSending, setSending] = useState(false);
	const [reasons, setReasons] = useState<readonly string[]>([]);
	// What was said against one name is not said against another.
	const typed = useCallback(() => setReasons(before => (before[0] === unable ? before : [])), []);
	const {field, now, type} = useLineField('', typed);
	const [asking] = useState(() => new AbortController());
	const [rejected, setRejected] = useState(0);
	const [withRejected, setWithRejected] = useState(() => asksForRejected(selection));
	// As it is when it is ordered, however soon after the key that is.
	const isWith = useRef(withRejected);
	// Only while it is gathered: what was ordered goes on without the form.
	useEffect(() => () => asking.abort(), [asking]);
	// How many are rejected is said before; without it, the order says how many were left out.
	useEffect(() => {
		explorer.selection.holding(asking.signal).then(
			holding => setRejected(holding.rejected),
			() => undefined,
		);
	}, [explorer, asking]);
	// Said before a name is thought of; where it cannot be told yet, the order tells.
	useEffect(() => {
		explorer.local.can('compose', asking.signal).then(
			isAble => isAble || setReasons([unable]),
			() => undefined,
		);
	}, [explorer, asking]);

	const bindings = useMemo<readonly Binding[]>(() => {
		const close = () => explorer.update(overlaid(undefined));
		const ended = (outcome: ComposeOutcome) => {
			setSending(false);
			if (outcome.kind === 'refused') return setReasons(outcome.reasons);
			if (outcome.kind === 'unknown') return setReasons([outcome.reason]);
			if (!asking.signal.aborted) close();
			const {dataset_name, episode_count, parents, rejected_left_out} = outcome.record;
			const of = `${counted(episode_count, 'episode')} of ${counted(parents.length, 'dataset')}`;
			const way = {action: 'view.uploads', does: 'shows progress'};
			const left = leftOutWords(rejected_left_out);
			explorer.notify('info', `${dataset_name} is being composed from ${of}${left ? `; ${left}` : ''}.`, way);
			explorer.local.refetchIngests();
			explorer.uploads.refetch();
		};
		const order = async () => {
			const name = now().text.trim();
			if (!datasetName.safeParse(name).success) {
				setReasons([
					'A name is letters, digits, dots, underscores and hyphens, the first a letter or digit.',
				]);
				return;
			}
			setSending(true);
			setReasons([]);
			try {
				if (await explorer.local.can('compose', asking.signal)) {
					ended(
						await composeSelection(explorer, {name, selection, withRejected: isWith.current}, asking.signal),
					);
				} else {
					ended({kind: 'refused', reasons: [unable]});
				}
			} catch (error) {
				if (asking.signal.aborted) return;
				ended({kind: 'refused', reasons: [error instanceof Error ? error.message : String(error)]});
			}
		};
		return [
			{
				keys: ['enter'],
				action: 'compose.order',
				description: 'create',
				category,
				footer: 1,
				when: () => !isSending,
				run: () => void order(),
			},
			{
				keys: ['ctrl+r'],
				action: 'compose.rejected',
				description: 'include or exclude rejected',
				hint: 'rejected in or out',
				category,
				footer: 3,
				when: () => !isSending && rejected > 0,
				run() {
					isWith.current = !isWith.current;
					setWithRejected(isWith.current);
				},
			},
			{keys: ['esc'], action: 'compose.leave', description: 'cancel', category, footer: 2, run: close},
		];
	}, [explorer, selection, asking, isSending, now, rejected]);
	useBindings({id: 'compose', level: 'dialog', modal: true, bindings, ...(isSending ? {} : {text: type})});

	const keyOf = useKeyOf(bindings);
	const wide = Math.min(widest, width);
	const inner = Math.max(1, wide - 4);
	const wrapped = (text: string) => printableLines(text, inner, screen.drawing);
	const hidden = hiddenWords(explorer.state.getState().selection, known);
	const row = (role: 'dim' | 'bad' | 'warning') => (text: string) => ({segments: [' ', {text, role}]});
	const words = (text: string): DialogRow[] => wrapped(text).map(row('dim'));
	const all = explorer.window.result.getState().totals?.episodes ?? 0;
	const isAll = isNothing(explorer.state.getState().selection);
	const what = isAll
		? `all that match: ${grouped(all)}`
		: ((summary && counted(summary.episodes, 'episode')) ?? '');
	const rows: DialogRow[] = [
		{
			segments: [
				' ',
				screen.cell('name', labelWidth, {role: 'focus'}),
				...fieldSegments(field, Math.max(1, inner - labelWidth), screen),
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
			title={`Compose a dataset from ${what}`}
			aside={keyWords(keyOf, [['compose.order', 'create']]).join('')}
			width={wide}
			rows={rows.slice(0, room)}
			screenWidth={width}
			screenHeight={height}
		/>
	);
}

function rejectedWords(count: number, isWith: boolean, keyOf: KeyOf): string {
	const way = keyWords(keyOf, [['compose.rejected', isWith ? 'excludes them' : 'includes them']]).join('');
	const becomes = isWith ? 'included' : 'excluded';
	return `${grouped(count)} of them rejected: ${becomes}${way === '' ? '' : `; ${way}`}.`;
}

type ReasonRoom = {readonly room: number; readonly ellipsis: string};

/** One that is long would hide those that come after it. */
const mostLines = 4;

/**
 * The lines of as many reasons as there is room for, and how many more there are.
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
