import {type ReactNode, useEffect, useState} from 'react';
import type {DialogRow} from '../../components/dialog.tsx';
import {useScreen} from '../../components/screen.tsx';
import type {Role} from '../../components/theme.ts';
import {useExplorer} from '../../hooks/explorer.tsx';
import {overlaid} from '../../store/state/transitions.ts';
import {type ChooserSight, commonStart, lookAt} from '../../store/uploads/folder-chooser.ts';
import {printableLines} from '../../terminal/printable.ts';
import {ChooserDialog, useChooser} from '../list/chooser.tsx';
import {scrolling} from '../list/movement.ts';
import {lookWords, sightWords} from './check-rows.ts';

type FolderChooserProps = {
	readonly title: string;
	readonly widest: number;
	readonly width: number;
	readonly height: number;
	/** The path in the field as the dialog opens. */
	readonly typed: string;
	/** Why the last choice was refused; shown until another path is typed. */
	readonly trouble: string | undefined;
	readonly refuse: (trouble: string | undefined) => void;
	/** Called with the dataset that was chosen. */
	readonly chosen: (typed: string, sight: ChooserSight) => void;
};

const category = 'Upload';

/** Chooses the folder of a dataset: a path is typed, and the folders that it could go on to are listed. */
export function FolderChooser(props: FolderChooserProps): ReactNode {
	const {title, widest, width, height, typed, trouble, refuse, chosen} = props;
	const explorer = useExplorer();
	const screen = useScreen();
	const [text, setText] = useState(typed);
	const sight = useSight(text);
	const list = useChooser({
		id: 'upload',
		category,
		noun: 'folder',
		items: () => sight?.choices ?? [],
		room: Math.min(10, height - 10),
		field: typed,
		changed(changed) {
			setText(changed);
			if (trouble !== undefined) refuse(undefined);
		},
		bindings: now => [
			{
				keys: ['enter'],
				action: 'upload.choose',
				description: 'open, check a dataset',
				category,
				footer: 1,
				run() {
					// Keys of one burst arrive before the folder was read: it is read again for what is typed now.
					void lookAt(now.typed()).then(seen => {
						const choice = seen.choices[now.selected()];
						if (seen.look !== undefined) chosen(now.typed(), seen);
						else if (choice !== undefined) now.type(choice.path);
						else refuse('No dataset there: type another folder.');
					});
				},
			},
			{
				keys: ['tab'],
				action: 'upload.complete',
				description: 'complete',
				category,
				footer: 2,
				run() {
					void lookAt(now.typed()).then(seen => {
						const common = commonStart(seen.choices);
						if (seen.choices.length === 0) refuse('There is no folder to complete this to.');
						else if (seen.choices.length === 1 || common.length > seen.text.length) now.type(common);
						else now.move(scrolling(1));
					});
				},
			},
			{
				keys: [],
				action: 'upload.descend',
				description: 'open the folder',
				category,
				run() {
					const choice = now.current();
					if (choice !== undefined) now.type(choice.path);
				},
			},
			{
				keys: ['esc'],
				action: 'upload.leave',
				description: 'cancel',
				category,
				footer: 3,
				run: () => explorer.update(overlaid(undefined)),
			},
		],
	});
	const inner = Math.min(widest, width) - 2;
	const wrapped = (sentence: string, role: Role): DialogRow[] =>
		printableLines(sentence, Math.max(8, inner - 2), screen.drawing).map(line => ({
			segments: [' ', {text: line, role}],
		}));
	const isDataset = sight?.look !== undefined;
	return (
		<ChooserDialog
			list={list}
			title={title}
			widest={widest}
			width={width}
			height={height}
			label=" folder "
			head={sight === undefined ? [{segments: []}] : wrapped(sightWords(sight), isDataset ? 'good' : 'dim')}
			row={({path, look}, room) => {
				const words = look === undefined ? '' : lookWords(look);
				return [
					' ',
					screen.cell(path, Math.max(8, room - words.length - 3), {cut: 'start'}),
					' ',
					{text: words, role: 'accent'},
				];
			}}
			foot={trouble === undefined ? [] : [{segments: []}, ...wrapped(trouble, 'bad')]}
			pressed="upload.descend"
		/>
	);
}

/** The folder that a typed path names, read from the disk; undefined until it is. */
function useSight(text: string): ChooserSight | undefined {
	const [sight, setSight] = useState<ChooserSight | undefined>(undefined);
	useEffect(() => {
		let isCurrent = true;
		void lookAt(text).then(seen => {
			if (isCurrent) setSight(seen);
		});
		return () => {
			isCurrent = false;
		};
	}, [text]);
	return sight;
}
