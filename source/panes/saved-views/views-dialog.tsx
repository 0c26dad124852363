import {type ReactNode, useEffect, useState} from 'react';
import {FieldDialog} from '../../components/field-dialog.tsx';
import {keySentence, keyWords} from '../../components/key-words.ts';
import {useScreen} from '../../components/screen.tsx';
import {useExplorer, useSavedViews} from '../../hooks/explorer.tsx';
import {useFocus} from '../../input/react.tsx';
import {overlaid} from '../../store/state/transitions.ts';
import {asked} from '../../store/state/view-transitions.ts';
import {ChooserDialog, useChooser} from '../list/chooser.tsx';
import {RawDialog} from './raw-dialog.tsx';
import {type AskedName, type Openable, openableSegments, openables, viewsBindings} from './views-bindings.ts';

type ViewsDialogProps = {readonly width: number; readonly height: number};

/** Lists saved views: open, save, rename, delete. */
export function ViewsDialog(size: ViewsDialogProps): ReactNode {
	const explorer = useExplorer();
	const focus = useFocus();
	const screen = useScreen();
	const {savedViews} = explorer;
	const {isReading} = useSavedViews();
	const [ask, setAsk] = useState<AskedName | undefined>(undefined);
	const [raw, setRaw] = useState<{readonly body: unknown} | undefined>(undefined);
	useEffect(() => void savedViews.read(), [savedViews]);

	const close = () => explorer.update(overlaid(undefined));
	const openDefinition = async (id: string) => {
		const found = await savedViews.openDefinition(id);
		if (found === undefined) close();
		else setRaw(found);
	};
	const open = (openable: Openable) => {
		if (openable.kind === 'definition') return void openDefinition(openable.definition.def_id);
		if (!savedViews.open(openable.view)) return;
		close();
		focus.focus('episodes');
	};
	const list = useChooser<Openable>({
		id: 'views',
		category: 'Saved views',
		noun: 'view',
		items: () => openables(savedViews.known.getState()),
		room: size.height - 6,
		bindings: ({current}) => viewsBindings({explorer, current, open, ask: setAsk, close}),
	});
	const named = (typed: string) => {
		const name = typed.trim().slice(0, 200);
		if (ask === undefined) return;
		if (name === '') return explorer.notify('warning', `Type the ${fieldOf(ask).label} first.`);
		setAsk(undefined);
		if (ask.kind === 'definition') return void openDefinition(name);
		const other = savedViews.named(name);
		if (ask.kind === 'rename') {
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

	if (raw !== undefined) return <RawDialog body={raw.body} close={() => setRaw(undefined)} {...size} />;
	if (ask !== undefined) {
		const leave = () => setAsk(undefined);
		return (
			<FieldDialog key={ask.kind} id="view-name" {...fieldOf(ask)} {...{done: named, leave}} {...size} />
		);
	}
	const save = [['views.save', 'saves the current filter, columns and sort']] as const;
	return (
		<ChooserDialog
			list={list}
			title="Saved views"
			aside={keyWords(list.keyOf, [
				['views.save', 'saves this view'],
				['views.definition', 'opens a definition by id'],
			]).join(', ')}
			widest={76}
			{...size}
			row={(openable, width) => openableSegments(openable, width, screen)}
			empty={[isReading ? 'Loading.' : `No saved views. ${keySentence(list.keyOf, save)}`]}
			pressed="views.open"
		/>
	);
}

function fieldOf(ask: AskedName): {title: string; label: string; initial: string; verb: string} {
	switch (ask.kind) {
		case 'save':
			return {title: 'Save this view', label: 'name', initial: '', verb: 'save'};
		case 'definition':
			return {title: 'Open a definition from the service', label: 'id', initial: '', verb: 'open'};
		case 'rename':
			return {title: 'Rename the view', label: 'name', initial: ask.view.name, verb: 'rename'};
	}
}
