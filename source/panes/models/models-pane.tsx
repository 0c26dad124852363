import {type ReactNode, useMemo} from 'react';
import {useKeyOf} from '../../components/key-words.ts';
import {useScreen} from '../../components/screen.tsx';
import {useExplorer, useExplorerState, useJobs} from '../../hooks/explorer.tsx';
import {useWays} from '../../hooks/links.ts';
import {rowsAround, useShownRows} from '../../hooks/listing.ts';
import {useNow} from '../../hooks/now.ts';
import {type ListLook, ListPane} from '../list/list-pane.tsx';
import {OpenedPane} from '../list/opened-pane.tsx';
import {artifactLines} from '../listing/artifact-lines.ts';
import {absentLines, listingAside, listingEmpty} from '../listing/listing-words.ts';
import {modelRow} from './model-row.ts';
import {useShownModels} from './use-models.ts';

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
				hint: 'A fine-tune that completes makes one.',
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
