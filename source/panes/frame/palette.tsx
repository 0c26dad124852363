import {type ReactNode, useEffect, useMemo} from 'react';
import {useScreen} from '../../components/screen.tsx';
import {useExplorer, useThings} from '../../hooks/explorer.tsx';
import {useWays} from '../../hooks/links.ts';
import {useFocus, useRouter, useRouterSnapshot} from '../../input/react.tsx';
import {overlaid} from '../../store/state/transitions.ts';
import {viewed} from '../../store/state/view-transitions.ts';
import {ChooserDialog, useChooser} from '../list/chooser.tsx';
import {emptyWords, type PaletteEffect, type PaletteEntry, paletteEntries} from './palette-entries.ts';

type PaletteProps = {readonly width: number; readonly height: number};

const ofWidth = 14;
const keysWidth = 12;
const category = 'Command';

/** Finds every action, dataset, model, project, job, upload and episode by its name. */
export function Palette(size: PaletteProps): ReactNode {
	const explorer = useExplorer();
	const screen = useScreen();
	const router = useRouter();
	const focus = useFocus();
	const ways = useWays();
	const entriesOf = useEntries();
	useEffect(() => {
		const {datasets, models, projects} = explorer.catalog;
		for (const feed of [datasets, models, projects]) feed.lookOnce();
	}, [explorer]);

	const close = () => explorer.update(overlaid(undefined));
	const run = (effect: PaletteEffect) => {
		close();
		if (effect.kind === 'action') router.run(effect.action);
		else if (effect.kind === 'go') ways.to(effect.link);
		else if (explorer.follow(effect.list, effect.id)) {
			explorer.update(viewed(effect.list));
			focus.focus(effect.list);
		}
	};
	const list = useChooser<PaletteEntry>({
		id: 'palette',
		category,
		noun: 'command',
		items: entriesOf,
		room: Math.min(20, size.height - 8),
		field: '',
		bindings: ({current, typed}) => [
			{
				keys: ['enter'],
				action: 'palette.run',
				description: 'run',
				category,
				footer: 1,
				run() {
					const entry = current();
					if (entry === undefined) explorer.notify('info', `No command matches "${typed()}".`);
					else run(entry.effect);
				},
			},
			{
				keys: ['esc', 'ctrl+g'],
				action: 'palette.close',
				description: 'close',
				category,
				footer: 2,
				run: close,
			},
		],
	});
	const count = list.items.length;
	return (
		<ChooserDialog
			list={list}
			title="Command"
			aside={count === 0 ? '' : `${list.position.selected + 1} of ${count}`}
			widest={84}
			{...size}
			label=" : "
			row={({text, of, keys}, width) => [
				' ',
				screen.cell(text, Math.max(8, width - ofWidth - keysWidth - 2)),
				screen.cell(of, ofWidth, {role: 'dim'}),
				screen.cell(keys, keysWidth, {role: 'accent'}),
			]}
			empty={emptyWords(list.field?.field.text ?? '')}
			isFilled
			pressed="palette.run"
		/>
	);
}

/** The entries for a text; those of the last text are kept, as each key of one text asks for them again. */
function useEntries(): (typed: string) => readonly PaletteEntry[] {
	const {commands} = useRouterSnapshot();
	const {things, datasets} = useThings();
	const unicode = !useScreen().drawing.ascii;
	return useMemo(() => {
		let last: {readonly typed: string; readonly entries: readonly PaletteEntry[]} | undefined;
		return typed => {
			if (last?.typed !== typed) {
				last = {typed, entries: paletteEntries(typed, {commands, things, datasets, unicode})};
			}
			return last.entries;
		};
	}, [commands, things, datasets, unicode]);
}
