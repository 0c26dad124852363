import {keyWords} from '../../components/key-words.ts';
import {datasetName} from '../../contract/episode.ts';
import {needsModel} from '../../contract/hyperparameters.ts';
import {vlaTypes} from '../../contract/vocabulary.ts';
import {typeNote, unfitReason} from '../../store/finetune/cameras.ts';
import {type Draft, withType} from '../../store/finetune/draft.ts';
import {redrafted, stepForward} from '../../store/finetune/finetune-form.ts';
import {counted} from '../../terminal/quantity.ts';
import {askedRows, type FormRow, type Page, problemAt, words} from './form-page.ts';

/** What is typed into a page besides the draft: the name of a new project, a search, the name of a new dataset. */
export type Typed = {
	readonly value: (id: string) => string;
	readonly set: (id: string, text: string) => void;
};

/** Where there is no project and nobody cares how it is called. */
const usualProject = 'default';

export function projectRows(page: Page, typed: Typed): readonly FormRow[] {
	const {desk, state, known, keyOf} = page;
	const {project} = state.form.draft;
	const again = () => desk.facts.readProjects();
	const isNone = known.projects.state === 'read' && known.projects.value.length === 0;
	const name = typed.value('project.new');
	return [
		...askedRows(
			known.projects,
			'the projects',
			projects => [
				words(
					projects.length === 0
						? `A fine-tune belongs to a project, and there is none yet: give a new one its name, or leave it at "${usualProject}".`
						: 'The project that the fine-tune belongs to:',
				),
				...(project !== undefined && projects.every(({id}) => id !== project.id)
					? [words(`The project ${project.name} is not listed any more: choose another.`, 'bad')]
					: []),
				...projects.map(
					(each): FormRow => ({
						kind: 'choice',
						id: each.id,
						label: each.name,
						aside: '',
						isChosen: each.id === project?.id,
						off: undefined,
						enter: () =>
							desk.change(form => stepForward(redrafted(form, draft => ({...draft, project: each})))),
					}),
				),
			],
			again,
		),
		{
			kind: 'text',
			id: 'project.new',
			label: 'new project',
			value: name,
			aside: keyWords(keyOf, [
				['launch.enter', isNone && name.trim() === '' ? `creates "${usualProject}"` : 'creates it'],
			]).join(''),
			isChanged: false,
			problem: undefined,
			set: text => typed.set('project.new', text),
			enter() {
				if (name.trim() === '' && known.projects.state === 'reading')
					desk.explain('The projects are still being read: press it again once they are there.');
				else if (name.trim() === '' && !isNone) desk.explain('Type the name of the new project first.');
				else desk.createProject(name.trim() || usualProject);
			},
		},
	];
}

/** Some episodes are no dataset: why that matters, and the way to one. */
function partialRows({desk, state, canCompose, keyOf}: Page, typed: Typed): readonly FormRow[] {
	const {subject} = state;
	if (subject === undefined) return [];
	const {episodes, datasets, rejected, isWhole = false} = subject;
	const part = datasets === undefined ? 'several datasets' : counted(datasets.length, 'dataset');
	const why = words(
		isWhole
			? 'The interface trains on one whole dataset: without the rejected ones it is to be composed anew.'
			: `The interface trains on one whole dataset, and ${counted(episodes, 'episode')} of ${part} are not one.`,
		'warning',
	);
	if (!canCompose) {
		return [why, words('This service cannot compose one of them; choose a whole dataset, or leave it.')];
	}
	const name = typed.value('dataset.compose');
	const read = datasetName.safeParse(name.trim());
	const {withRejected} = state;
	const ofRejected: readonly FormRow[] =
		rejected === 0
			? []
			: [
					words(
						`${rejected} of ${counted(episodes, 'episode')} rejected: ${withRejected ? 'composed too' : 'left out'}.`,
						'warning',
					),
					{
						kind: 'choice',
						id: 'dataset.with-rejected',
						label: 'compose the rejected ones too',
						aside: '',
						isChosen: withRejected,
						off: undefined,
						enter: () => desk.toggleRejected(),
					},
				];
	return [
		why,
		...ofRejected,
		{
			kind: 'text',
			id: 'dataset.compose',
			label: 'compose as',
			value: name,
			aside: keyWords(keyOf, [['launch.enter', 'makes it']]).join(''),
			isChanged: false,
			problem: name.trim() === '' ? undefined : read.error?.issues[0]?.message,
			set: text => typed.set('dataset.compose', text),
			enter() {
				if (read.success) desk.compose(read.data);
				else if (name.trim() === '') desk.explain('Type a name for the new dataset first.');
			},
		},
		words('Or train on the whole of one:'),
	];
}

export function datasetRows(page: Page, typed: Typed): readonly FormRow[] {
	const {desk, state, known} = page;
	const {dataset} = state.form.draft;
	const choose = (choice: NonNullable<Draft['dataset']>) => desk.takeDataset(choice);
	const search = typed.value('dataset.search');
	const chosen = dataset === undefined ? [] : [dataset];
	const wholes = search === '' ? (state.subject?.wholes ?? []) : [];
	return [
		...(state.hides === undefined ? [] : [words(state.hides, 'warning')]),
		...partialRows(page, typed),
		...(state.subject === undefined ? [words('The dataset that it is trained on, as a whole:')] : []),
		...askedRows(
			known.datasets,
			'the datasets',
			datasets => {
				const first = [...chosen, ...wholes.filter(({id}) => id !== dataset?.id)];
				const others = datasets.filter(({id, path}) =>
					first.every(each => each.id !== id && each.path !== path),
				);
				return [...first, ...others].map(
					(each): FormRow => ({
						kind: 'choice',
						id: each.id,
						label: each.path,
						aside: each.frames === undefined ? '' : counted(each.frames, 'frame'),
						isChosen: each === dataset,
						off: undefined,
						enter: () => choose(each),
					}),
				);
			},
			() => desk.facts.readDatasets(search.trim()),
		),
		{
			kind: 'text',
			id: 'dataset.search',
			label: 'search',
			value: search,
			aside: 'a part of its path',
			isChanged: false,
			problem: undefined,
			set(text) {
				typed.set('dataset.search', text);
				desk.facts.readDatasets(text.trim());
			},
			enter: undefined,
		},
	];
}

export function typeRows(page: Page): readonly FormRow[] {
	const {desk, state, known} = page;
	const {draft} = state.form;
	const images = known.images.state === 'read' ? known.images.value : undefined;
	const types = vlaTypes.map(type => ({
		type,
		off: images === undefined ? undefined : unfitReason(type, images),
		note: images === undefined ? '' : typeNote(type, images),
	}));
	const fitting = [
		...types.filter(({off}) => off === undefined),
		...types.filter(({off}) => off !== undefined),
	];
	const {vlaType} = draft;
	const cameras = images === undefined ? '' : `Image keys: ${images.keys.join(', ') || 'none'}`;
	return [
		...askedRows(
			known.images,
			"the dataset's image keys",
			() => [words(cameras)],
			() => desk.facts.follow(draft),
		),
		...fitting.map(
			({type, off, note}): FormRow => ({
				kind: 'choice',
				id: type,
				label: type,
				aside: note,
				isChosen: type === vlaType,
				off,
				enter() {
					desk.change(form => {
						const next = redrafted(form, before => withType(before, type));
						return needsModel(type) && next.draft.modelId === ''
							? {...next, at: 'model_id'}
							: stepForward(next);
					});
				},
			}),
		),
		...(vlaType === undefined
			? []
			: [
					{
						kind: 'text',
						id: 'model_id',
						label: 'base model',
						value: draft.modelId,
						aside: needsModel(vlaType) ? `such as lerobot/${vlaType}_base` : "empty: the type's own",
						isChanged: false,
						problem: problemAt(page, 'model_id'),
						set: (text: string) =>
							desk.change(form => redrafted(form, before => ({...before, modelId: text}))),
						enter: undefined,
					} as const,
				]),
	];
}
