import type {ReactNode} from 'react';
import {useStore} from 'zustand';
import {keyWords} from '../../components/key-words.ts';
import {useScreen} from '../../components/screen.tsx';
import {useExplorer} from '../../hooks/explorer.tsx';
import {chosenFor} from '../../store/series/plots.ts';
import {besideOf, choosable, mostPlots, shownChannels} from '../../store/series/series-watch.ts';
import {overlaid} from '../../store/state/transitions.ts';
import {ChooserDialog, useChooser} from '../list/chooser.tsx';

type ChannelChooserProps = {readonly width: number; readonly height: number};

const category = 'Channels';

/** Chooses the channels that are drawn of an episode; typing narrows the list. */
export function ChannelChooser(size: ChannelChooserProps): ReactNode {
	const explorer = useExplorer();
	const screen = useScreen();
	const {plots} = explorer;
	const available = useStore(plots.series.known, ({overview}) => overview?.available) ?? noChannels;
	const unlike = useStore(plots.series.known, known => known.unlike);
	const episodeId = useStore(plots.series.known, known => known.episodeId);
	const isPinned = useStore(plots.state, state => state.pinned !== undefined);
	const shown = shownChannels(
		useStore(plots.state, state => chosenFor(state, episodeId)),
		{available, unlike},
	);
	const missing = available.length === 0 ? 'The channels are not known yet.' : 'No channel matches.';
	const say = (text: string) => explorer.notify('info', text);
	const list = useChooser({
		id: 'channels',
		category,
		noun: 'channel',
		items: typed => channelsNamed(typed, available),
		room: Math.min(20, choosable(available).length, size.height - 8),
		field: '',
		bindings({current}) {
			const drawn = () => shownChannels(chosenFor(plots.state.getState(), episodeId), {available, unlike});
			const toggle = () => {
				const name = current();
				if (name === undefined || episodeId === undefined) return say(missing);
				const before = drawn();
				if (before.includes(name)) {
					const left = before.filter(other => other !== name);
					plots.choose(episodeId, left);
					if (left.length === 0) say('The default channels are shown again.');
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
					description: 'pin for all episodes, or for this episode only',
					hint: 'pin for all episodes',
					category,
					footer: 3,
					run() {
						if (episodeId === undefined) return say(missing);
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
					run() {
						if (episodeId === undefined) return say(missing);
						const before = drawn();
						plots.choose(episodeId, []);
						if (drawn().join('\n') === before.join('\n')) say('The default channels are shown already.');
					},
				},
				{
					keys: ['esc'],
					action: 'channels.close',
					description: 'close',
					category,
					footer: 2,
					run: () => explorer.update(overlaid(undefined)),
				},
			];
		},
	});
	const {check, separator} = screen.signs;
	return (
		<ChooserDialog
			list={list}
			title="Channels"
			aside={[
				`${shown.length} shown${isPinned ? ' for every episode' : ''}`,
				...keyWords(list.keyOf, [['channels.toggle', 'toggle']]),
			].join(` ${separator} `)}
			widest={66}
			{...size}
			label=" find: "
			row={(name, width) => [
				`${shown.includes(name) ? check.on : check.off} `,
				screen.cell(name, Math.max(8, width - 17), {cut: 'middle'}),
				{text: besideOf(name, available) === undefined ? '' : ' with the state', role: 'dim'},
			]}
			empty={[missing]}
			isFilled
			pressed="channels.toggle"
		/>
	);
}

const noChannels: readonly string[] = [];

/** The channels whose names hold every word that is typed. */
function channelsNamed(typed: string, available: readonly string[]): readonly string[] {
	const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
	return choosable(available).filter(name => words.every(word => name.toLowerCase().includes(word)));
}
