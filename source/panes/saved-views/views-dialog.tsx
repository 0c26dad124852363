import {type ReactNode, useCallback, useEffect, useMemo, useState} from 'react';
import {Dialog, type DialogRow} from '../../components/dialog.tsx';
import {FieldDialog} from '../../components/field-dialog.tsx';
import {keySentence, keyWords, useKeyOf} from '../../components/key-words.ts';
import {useScreen} from '../../components/screen.tsx';
import {useExplorer, useSavedViews} from '../../hooks/explorer.tsx';
import {useListMouse, useListPosition} from '../../hooks/list-position.ts';
import {useBindings, useFocus, useRouter} from '../../input/react.tsx';
import {shownRows} from '../../store/state/list-location.ts';
import {overlaid} from '../../store/state/transitions.ts';
import {asked} from '../../store/state/view-transitions.ts';
import {RawDialog} from './raw-dialog.tsx';
import {type Asked, type Openable, openableRow, openables, viewsBindings} from './views-bindings.ts';

type ViewsDialogProps = {readonly width: number; readonly height: number};

const widest = 76;

/** Filters under names: open one, save the one that shows, give another name, delete. */
export function ViewsDialog({width, height}: ViewsDialogProps): ReactNode {
	const explorer = useExplorer();
	const router = useRouter();
	const focus = useFocus();
	const screen = useScreen();
	const {savedViews} = explorer;
	const {views, definitions, isReading} = useSavedViews();
	const [ask, setAsk] = useState<Asked | undefined>(undefined);
	const [raw, setRaw] = useState<{readonly body: unknown} | undefined>(undefined);
	useEffect(() => void savedViews.read(), [savedViews]);

	const listed = openables(views, definitions);
	const rows = Math.max(1, Math.min(listed.length, height - 6));
	const extent = {count: listed.length, height: rows};
	const {position, now, move} = useListPosition(extent);

	const close = useCallback(() => explorer.update(overlaid(undefined)), [explorer]);
	const openDefinition = useCallback(
		async (id: string) => {
			const found = await savedViews.openDefinition(id);
			if (found === undefined) close();
			else setRaw(found);
		},
		[savedViews, close],
	);
	const bindings = useMemo(() => {
		const current = (): Openable | undefined => {
			const known = savedViews.known.getState();
			return openables(known.views, known.definitions)[now().selected];
		};
		const open = (openable: Openable) => {
			if (openable.kind === 'definition') return void openDefinition(openable.definition.def_id);
			if (!savedViews.open(openable.view)) return;
			close();
			focus.focus('episodes');
		};
		return viewsBindings({explorer, current, open, ask: setAsk, close, move});
	}, [explorer, savedViews, focus, openDefinition, close, now, move]);
	useBindings({id: 'views', level: 'dialog', modal: true, bindings});

	const keyOf = useKeyOf(bindings);
	const {from, to} = shownRows(position, extent);
	const area = useListMouse({
		id: 'views',
		level: 'dialog',
		within: 'views',
		head: 1,
		from,
		count: to,
		chosen: position.selected,
		move,
		open: () => router.run('views.open'),
	});
	const leave = useCallback(() => setAsk(undefined), []);
	const named = (typed: string) => {
		const name = typed.trim().slice(0, 200);
		if (ask === undefined) return;
		if (name === '') return explorer.notify('warning', `Type the ${fieldOf(ask).label} first.`);
		setAsk(undefined);
		if (ask.what === 'definition') return void openDefinition(name);
		const other = savedViews.named(name);
		if (ask.what === 'rename') {
			if (other !== undefined && other.id !== ask.view.id) {
				return explorer.notify('warning', `A view named "${other.name}" exists already.`);
			}
			return void savedViews.rename(ask.view, name);
		}
		if (other === undefined) return void savedViews.save(name);
		explorer.update(
			asked({
				title: 'Replace the saved view?',
				lines: [other.name, `Its current filter is lost: ${other.filter || 'everything'}`],
				yes: 'replace',
				agree: () => void savedViews.save(name, other),
			}),
		);
	};

	if (raw !== undefined) {
		return <RawDialog body={raw.body} close={() => setRaw(undefined)} width={width} height={height} />;
	}
	if (ask !== undefined) {
		return (
			<FieldDialog key={ask.what} id="view-name" {...fieldOf(ask)} {...{done: named, leave, width, height}} />
		);
	}
	const inner = Math.min(widest, width) - 2;
	const shown = listed.slice(from, to).map((openable, place): DialogRow => {
		const isSelected = from + place === position.selected;
		return openableRow(openable, {isSelected, width: inner, screen});
	});
	const words = isReading
		? 'Loading.'
		: `None yet. ${keySentence(keyOf, [['views.save', 'saves the current filter, columns and sort']])}`;
	const empty: DialogRow[] = [{segments: [' ', {text: words, role: 'dim'}]}];
	return (
		<Dialog
			title="Saved views"
			aside={keyWords(keyOf, [
				['views.save', 'saves this view'],
				['views.definition', 'opens a definition by id'],
			]).join(', ')}
			width={Math.min(widest, width)}
			rows={shown.length === 0 ? empty : shown}
			screenWidth={width}
			screenHeight={height}
			area={area}
		/>
	);
}

function fieldOf(ask: Asked): {title: string; label: string; initial: string; verb: string} {
	switch (ask.what) {
		case 'save':
			return {title: 'Save this view', label: 'name', initial: '', verb: 'save'};
		case 'definition':
			return {title: 'Open a definition from the service', label: 'id', initial: '', verb: 'open'};
		case 'rename':
			return {title: 'Rename the view', label: 'name', initial: ask.view.name, verb: 'rename'};
	}
}
