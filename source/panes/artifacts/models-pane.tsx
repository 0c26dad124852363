import {type ReactNode, useMemo} from 'react';
import {useKeyOf} from '../../components/key-words.ts';
import {type Screen, useScreen} from '../../components/screen.tsx';
import type {Segment} from '../../components/segment.ts';
import type {ModelItem} from '../../contract/listing.ts';
import {ownSorts} from '../../contract/own-lists.ts';
import {useCopy} from '../../hooks/clipboard.tsx';
import {useExplorer, useExplorerState, useJobs, useLocal} from '../../hooks/explorer.tsx';
import {useWays} from '../../hooks/links.ts';
import {rowsAround, useListing, useShownRows} from '../../hooks/listing.ts';
import {useNow} from '../../hooks/now.ts';
import type {Binding} from '../../input/binding.ts';
import {printLink} from '../../store/queries/link.ts';
import {age} from '../../terminal/quantity.ts';
import {copyBinding} from '../list/copy-binding.ts';
import {type ListLook, ListPane} from '../list/list-pane.tsx';
import {absentLines, artifactLines, listingAside, listingEmpty, termBindings} from '../list/listing-lines.ts';
import {OpenedPane} from '../list/opened-pane.tsx';

/** The models of the account. */
export function ModelsPane(look: ListLook): ReactNode {
	const {catalog} = useExplorer();
	const screen = useScreen();
	const now = useNow();
	const {search, terms} = useExplorerState(({lists}) => lists.models);
	const {known, keys, item, rowOf, bindings} = useShownModels();
	const keyOf = useKeyOf(bindings);
	useShownRows(catalog.models, {keys, rowOf}, Math.max(1, look.height - 1));
	return (
		<ListPane
			{...look}
			list="models"
			title="Models"
			noun="model"
			keys={keys}
			rowOf={(row, width) => {
				const model = item(row);
				if (model === undefined) return [{text: screen.signs.ellipsis, role: 'dim'}];
				return modelRow(model, {width, screen, now});
			}}
			empty={listingEmpty(known, {
				noun: 'model',
				keyOf,
				isNarrowed: search !== '',
				hint: 'A completed fine-tune creates a model.',
			})}
			bindings={bindings}
			freshness={known.freshness}
			aside={listingAside(known, {asked: terms.sort === undefined ? [] : [`sorted: ${terms.sort}`], keyOf})}
		/>
	);
}

/** A model, with the job that made it. */
export function ModelDetail(look: ListLook & {readonly beside: boolean}): ReactNode {
	const {catalog} = useExplorer();
	const screen = useScreen();
	const {to} = useWays();
	const {jobs} = useJobs();
	const {selected, keys, rowOf, bindings, sought} = useShownModels();
	useShownRows(catalog.models, {keys, rowOf}, rowsAround);
	const width = look.beside ? look.width - 1 : look.width;
	const lines = useMemo(() => {
		if (selected === undefined) return absentLines(sought);
		const jobName = (id: string) => jobs.find(job => job.id === id)?.name;
		return artifactLines(selected, {width, screen, jobName, to});
	}, [selected, sought, jobs, width, screen, to]);
	return (
		<OpenedPane
			{...look}
			list="models"
			title={selected?.path ?? ''}
			noun="Model"
			keys={keys}
			lines={lines}
			bindings={bindings}
		/>
	);
}

const kindWidth = 14;
const jobWidth = 13;
const ageWidth = 5;

/** A model in a line: path, kind, the job that made it, and time since the last change. */
function modelRow(
	{path, subtype, jobs, updated_at}: ModelItem,
	{width, screen, now}: {width: number; screen: Screen; now: number},
): readonly Segment[] {
	const {cell} = screen;
	const maker = jobs?.find(({direction}) => direction === 'output')?.job_id;
	return [
		cell(path, Math.max(8, width - kindWidth - jobWidth - ageWidth - 2), {cut: 'start'}),
		' ',
		cell(subtype, kindWidth, {role: subtype === 'vla_model' ? 'dim' : 'accent'}),
		cell(maker === undefined ? '' : `job ${maker.slice(0, 8)}`, jobWidth, {role: 'dim'}),
		' ',
		cell(age(now - Date.parse(updated_at)), ageWidth, {align: 'right', role: 'dim'}),
	];
}

const category = 'Models';

/** The models that show, the selected one, and its keys. */
function useShownModels() {
	const explorer = useExplorer();
	const copy = useCopy();
	const isOwn = useLocal(({document}) => document !== undefined);
	const listing = useListing(explorer.catalog.models);
	const {selected} = listing;
	const bindings = useMemo<readonly Binding[]>(
		() => [
			copyBinding('models', category, () => {
				if (selected !== undefined)
					copy(printLink({kind: 'model', id: selected.artifact_id}), 'the model link');
			}),
			...termBindings(explorer, {
				list: 'models',
				category,
				// The interface document names no sort parameters.
				terms: isOwn
					? [{key: 's', term: 'sort', description: 'sort', values: [undefined, ...ownSorts.slice(1)]}]
					: [],
			}),
		],
		[explorer, copy, isOwn, selected],
	);
	return {...listing, bindings};
}
