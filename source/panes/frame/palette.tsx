import {type ReactNode, useCallback, useEffect, useMemo, useState} from 'react';
import {Dialog, type DialogRow} from '../../components/dialog.tsx';
import {fieldSegments} from '../../components/field.ts';
import {useScreen} from '../../components/screen.tsx';
import {useExplorer, useThings} from '../../hooks/explorer.tsx';
import {useLineField} from '../../hooks/line-field.ts';
import {useWays} from '../../hooks/links.ts';
import {useListMouse, useListPosition} from '../../hooks/list-position.ts';
import type {Binding} from '../../input/binding.ts';
import {useBindings, useFocus, useRouter, useRouterSnapshot} from '../../input/react.tsx';
import {listStart, shownRows} from '../../store/state/list-location.ts';
import {overlaid} from '../../store/state/transitions.ts';
import {viewed} from '../../store/state/view-transitions.ts';
import {choosingBindings} from '../list/choosing.ts';
import {emptyWords, type PaletteDeed, paletteEntries} from './palette-entries.ts';

type PaletteProps = {readonly width: number; readonly height: number};

const widest = 84;
const ofWidth = 14;
const keysWidth = 12;
const category = 'Command';

/** Everything that can be done here, and everything that can be gone to, by its name. */
export function Palette({width, height}: PaletteProps): ReactNode {
	const explorer = useExplorer();
	const screen = useScreen();
	const router = useRouter();
	const focus = useFocus();
	const ways = useWays();
	const {commands} = useRouterSnapshot();
	const {things, datasets} = useThings();
	const [query, setQuery] = useState('');
	useEffect(() => {
		const {datasets: sets, models, projects} = explorer.catalog;
		for (const feed of [sets, models, projects]) feed.lookOnce();
	}, [explorer]);

	const unicode = !screen.drawing.ascii;
	const entriesOf = useCallback(
		(text: string) => paletteEntries(text, {commands, things, datasets, unicode}),
		[commands, things, datasets, unicode],
	);
	const entries = useMemo(() => entriesOf(query), [entriesOf, query]);
	const rows = Math.max(1, Math.min(20, height - 8));
	const extent = {count: entries.length, height: rows};
	const {position, now, move} = useListPosition(extent);
	const changed = useCallback(
		({text}: {readonly text: string}) => {
			setQuery(text);
			move(() => listStart);
		},
		[move],
	);
	const {field, now: fieldNow, type} = useLineField('', changed);

	const bindings = useMemo<readonly Binding[]>(() => {
		const close = () => explorer.update(overlaid(undefined));
		const act = (deed: PaletteDeed) => {
			close();
			if (deed.kind === 'action') router.run(deed.action);
			else if (deed.kind === 'go') ways.to(deed.link);
			else if (explorer.follow(deed.list, deed.id)) {
				explorer.update(viewed(deed.list));
				focus.focus(deed.list);
			}
		};
		return [
			{
				keys: ['enter'],
				action: 'palette.run',
				description: 'run',
				category,
				footer: 1,
				run() {
					// Keys of one burst come before the list is drawn again.
					const entry = entriesOf(fieldNow().text)[now().selected];
					if (entry !== undefined) act(entry.deed);
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
			...choosingBindings({name: 'palette', category, move}),
		];
	}, [explorer, router, focus, ways, entriesOf, fieldNow, now, move]);
	useBindings({id: 'palette', level: 'dialog', modal: true, bindings, text: type});

	const wide = Math.min(widest, width);
	const inner = wide - 2;
	const {from, to} = shownRows(position, extent);
	const area = useListMouse({
		id: 'palette',
		level: 'dialog',
		within: 'palette',
		head: 2,
		from,
		count: to,
		chosen: position.selected,
		move,
		open: () => router.run('palette.run'),
	});
	const textWidth = Math.max(8, inner - ofWidth - keysWidth - 3);
	const listed = entries.slice(from, to).map(({text, of, keys}, row): DialogRow => {
		const isSelected = from + row === position.selected;
		return {
			segments: [
				isSelected ? `${screen.signs.pointer} ` : '  ',
				screen.cell(text, textWidth),
				screen.cell(of, ofWidth, {role: 'dim'}),
				screen.cell(keys, keysWidth, {role: 'accent'}),
			],
			look: isSelected ? 'selected' : 'plain',
		};
	});
	const empty = emptyWords(query).map((text): DialogRow => ({segments: ['  ', {text, role: 'dim'}]}));
	const said = listed.length === 0 ? empty : listed;
	const filler = Array.from({length: Math.max(0, rows - said.length)}, () => ({segments: []}));
	return (
		<Dialog
			title="Command"
			aside={entries.length === 0 ? '' : `${position.selected + 1} of ${entries.length}`}
			width={wide}
			rows={[
				{segments: [{text: ' : ', role: 'focus'}, ...fieldSegments(field, inner - 4, screen)]},
				...said,
				...filler,
			]}
			screenWidth={width}
			screenHeight={height}
			area={area}
		/>
	);
}
