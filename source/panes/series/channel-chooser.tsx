import {type ReactNode, useCallback, useMemo, useState} from 'react';
import {useStore} from 'zustand';
import {Dialog, type DialogRow} from '../../components/dialog.tsx';
import {fieldSegments} from '../../components/field.ts';
import {keyWords, useKeyOf} from '../../components/key-words.ts';
import {useScreen} from '../../components/screen.tsx';
import {useExplorer} from '../../hooks/explorer.tsx';
import {useLineField} from '../../hooks/line-field.ts';
import {useListMouse, useListPosition} from '../../hooks/list-position.ts';
import type {Binding} from '../../input/binding.ts';
import {useBindings, useRouter} from '../../input/react.tsx';
import {chosenFor} from '../../store/series/plots.ts';
import {besideOf, choosable, mostPlots, shownChannels} from '../../store/series/series-watch.ts';
import {listStart, shownRows} from '../../store/state/list-location.ts';
import {overlaid} from '../../store/state/transitions.ts';
import {choosingBindings} from '../list/choosing.ts';

type ChannelChooserProps = {readonly width: number; readonly height: number};

const widest = 66;
const category = 'Channels';

/** Which channels are drawn of an episode: what is typed narrows the list. */
export function ChannelChooser({width, height}: ChannelChooserProps): ReactNode {
	const explorer = useExplorer();
	const screen = useScreen();
	const router = useRouter();
	const {plots} = explorer;
	const available = useStore(plots.series.known, ({overview}) => overview?.available) ?? noChannels;
	const unlike = useStore(plots.series.known, known => known.unlike);
	const episodeId = useStore(plots.series.known, known => known.episodeId);
	const chosen = useStore(plots.state, state => chosenFor(state, episodeId));
	const isPinned = useStore(plots.state, state => state.pinned !== undefined);
	const [query, setQuery] = useState('');
	const shown = shownChannels(chosen, {available, unlike});
	const namesOf = useCallback(
		(text: string) => {
			const words = text.toLowerCase().split(/\s+/).filter(Boolean);
			return choosable(available).filter(name => words.every(word => name.toLowerCase().includes(word)));
		},
		[available],
	);
	const names = useMemo(() => namesOf(query), [namesOf, query]);
	const rows = Math.max(1, Math.min(20, choosable(available).length, height - 8));
	const {position, now, move} = useListPosition({count: names.length, height: rows});
	const changed = useCallback(
		({text}: {readonly text: string}) => {
			setQuery(text);
			move(() => listStart);
		},
		[move],
	);
	const {field, now: fieldNow, type} = useLineField('', changed);

	const bindings = useMemo<readonly Binding[]>(() => {
		const drawn = () => shownChannels(chosenFor(plots.state.getState(), episodeId), {available, unlike});
		const toggle = () => {
			// Keys of one burst come before the list is drawn again.
			const name = namesOf(fieldNow().text)[now().selected];
			if (name === undefined || episodeId === undefined) return;
			const before = drawn();
			if (before.includes(name)) {
				const left = before.filter(other => other !== name);
				plots.choose(episodeId, left);
				if (left.length === 0) explorer.notify('info', 'The default channels are shown again.');
			} else if (before.length < mostPlots) plots.choose(episodeId, [...before, name]);
			else explorer.notify('warning', `At most ${mostPlots} channels can be shown at once.`);
		};
		return [
			{
				keys: ['enter'],
				action: 'channels.toggle',
				description: 'toggle',
				category,
				footer: 1,
				run: toggle,
			},
			{
				keys: ['ctrl+o'],
				action: 'channels.pin',
				description: 'pin: for pin for all episodes only',
				hint: 'pin for all episodes',
				category,
				footer: 3,
				run() {
					if (episodeId === undefined) return;
					if (plots.state.getState().pinned === undefined) plots.pin(drawn());
					else plots.unpin(episodeId, drawn());
				},
			},
			{
				keys: ['ctrl+r'],
				action: 'channels.usual',
				description: 'defaults',
				category,
				footer: 4,
				run: () => episodeId !== undefined && plots.choose(episodeId, []),
			},
			{
				keys: ['esc'],
				action: 'channels.close',
				description: 'close',
				category,
				footer: 2,
				run: () => explorer.update(overlaid(undefined)),
			},
			...choosingBindings({name: 'channels', category, move}),
		];
	}, [explorer, plots, episodeId, available, unlike, namesOf, fieldNow, now, move]);
	useBindings({id: 'channels', level: 'dialog', modal: true, bindings, text: type});

	const keyOf = useKeyOf(bindings);
	const wide = Math.min(widest, width);
	const inner = wide - 2;
	const {signs} = screen;
	const {from, to} = shownRows(position, {count: names.length, height: rows});
	const area = useListMouse({
		id: 'channels',
		level: 'dialog',
		within: 'channels',
		head: 2,
		from,
		count: to,
		chosen: position.selected,
		move,
		open: () => router.run('channels.toggle'),
	});
	const listed = names.slice(from, to).map((name, row): DialogRow => {
		const isSelected = from + row === position.selected;
		const beside = besideOf(name, available) === undefined ? '' : ' with the state';
		return {
			segments: [
				isSelected ? signs.pointer : ' ',
				`${shown.includes(name) ? signs.check.on : signs.check.off} `,
				screen.cell(name, Math.max(8, inner - 18), {cut: 'middle'}),
				{text: beside, role: 'dim'},
			],
			look: isSelected ? 'selected' : 'plain',
		};
	});
	const words = available.length === 0 ? 'The channels are not known yet.' : 'No channel matches.';
	const empty: DialogRow = {segments: ['  ', {text: words, role: 'dim'}]};
	const filler = Array.from({length: Math.max(0, rows - Math.max(1, listed.length))}, () => ({segments: []}));
	return (
		<Dialog
			title="Channels"
			aside={[
				`${shown.length} shown${isPinned ? ' for every episode' : ''}`,
				...keyWords(keyOf, [['channels.toggle', 'toggle']]),
			].join(` ${signs.separator} `)}
			width={wide}
			rows={[
				{
					segments: [
						{text: ' find: ', role: 'focus'},
						...fieldSegments(field, Math.max(1, inner - 8), screen),
					],
				},
				...(listed.length === 0 ? [empty] : listed),
				...filler,
			]}
			screenWidth={width}
			screenHeight={height}
			area={area}
		/>
	);
}

const noChannels: readonly string[] = [];
