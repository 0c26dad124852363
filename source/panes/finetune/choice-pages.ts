import {keyWords} from '../../components/key-words.ts';
import {datasetName} from '../../contract/episode.ts';
import {needsModel} from '../../contract/hyperparameters.ts';
import {vlaTypes} from '../../contract/vocabulary.ts';
import {typeNote, unfitReason} from '../../store/finetune/cameras.ts';
import {type Draft, withType} from '../../store/finetune/draft.ts';
import {redrafted, stepForward} from '../../store/finetune/finetune-form.ts';
import {counted, grouped} from '../../terminal/quantity.ts';
import {askedRows, type FormRow, type Page, problemAt, words} from './form-page.ts';

/** Texts of a page that are not part of the draft: the name of a new project, a search, the name of a new dataset. */
export type Typed = {
	readonly value: (id: string) => string;
	readonly set: (id: string, text: string) => void;
};

/** The default project, created if there is none. */
const usualProject = 'default';

export function projectRows(page: Page, typed: Typed): readonly FormRow[] {
	const {controller, state, known, keyOf} = page;
	const {project} = state.form.draft;
	const again = () => controller.facts.readProjects();
	const isNone = known.projects.state === 'read' && known.projects.value.length === 0;
	const name = typed.value('project.new');
	return [
		...askedRows(
			known.projects,
			'the projects',
			projects => [
				words(
					projects.length === 0
						? `A fine-tune needs a project. Name a new one, or keep "${usualProject}".`
						: 'Project:',
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
							controller.change(form => stepForward(redrafted(form, draft => ({...draft, project: each})))),
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
					controller.explain('Projects are still loading: press it again in a moment.');
				else if (name.trim() === '' && !isNone) controller.explain("Type the new project's name first.");
				else controller.createProject(name.trim() || usualProject);
			},
		},
	];
}

/** Where the episodes come from that are no whole dataset. */
function partWords(episodes: bigint, datasets: number | undefined): string {
	const these = episodes === 1n ? 'This 1 episode' : `These ${grouped(episodes)} episodes`;
	if (datasets === 1) return `${these} ${episodes === 1n ? 'is' : 'are'} part of one`;
	return `${these} come from ${datasets ?? 'several'}`;
}

/** Some episodes are no dataset: why that matters, and the way to one. */
function partialRows({controller, state, canCompose, keyOf}: Page, typed: Typed): readonly FormRow[] {
	const {subject} = state;
	if (subject === undefined) return [];
	const {episodes, datasets, rejected, isWhole = false} = subject;
	const key = keyOf('selection.compose') ?? 'm';
	const composeKey = ` (${key})`;
	const why = words(
		isWhole
			? 'Training needs a whole dataset. Compose one without the rejected episodes first (m).'
			: `Training needs one dataset. ${partWords(episodes, datasets?.length)}${canCompose ? `: compose ${episodes === 1n ? 'it' : 'them'} first${composeKey}` : ''}.`,
		'warning',
	);
	if (!canCompose) {
		return [why, words('This service cannot compose datasets: choose a whole dataset.')];
	}
	const name = typed.value('dataset.compose');
	const read = datasetName.safeParse(name.trim());
	const {withRejected} = state;
	const ofRejected: readonly FormRow[] =
		rejected === 0
			? []
			: [
					words(
						`${rejected} of ${counted(episodes, 'episode')} rejected: ${withRejected ? 'included' : 'excluded'}.`,
						'warning',
					),
					{
						kind: 'choice',
						id: 'dataset.with-rejected',
						label: 'include rejected',
						aside: '',
						isChosen: withRejected,
						off: undefined,
						enter: () => controller.toggleRejected(),
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
				if (read.success) controller.compose(read.data);
				else if (name.trim() === '') controller.explain('Type a name for the new dataset first.');
			},
		},
		words('Or train on one whole dataset:'),
	];
}

export function datasetRows(page: Page, typed: Typed): readonly FormRow[] {
	const {controller, state, known} = page;
	const {dataset} = state.form.draft;
	const choose = (choice: NonNullable<Draft['dataset']>) => controller.takeDataset(choice);
	const search = typed.value('dataset.search');
	const chosen = dataset === undefined ? [] : [dataset];
	const wholes = search === '' ? (state.subject?.wholes ?? []) : [];
	return [
		...(state.hides === undefined ? [] : [words(state.hides, 'warning')]),
		...partialRows(page, typed),
		...(state.subject === undefined ? [words('Dataset to train on (whole):')] : []),
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
			() => controller.facts.readDatasets(search.trim()),
		),
		{
			kind: 'text',
			id: 'dataset.search',
			label: 'search',
			value: search,
			aside: 'part of its path',
			isChanged: false,
			problem: undefined,
			set(text) {
				typed.set('dataset.search', text);
				controller.facts.readDatasets(text.trim());
			},
			enter: undefined,
		},
	];
}

export function typeRows(page: Page): readonly FormRow[] {
	const {controller, state, known} = page;
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
			() => controller.facts.follow(draft),
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
					controller.change(form => {
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
							controller.change(form => redrafted(form, before => ({...before, modelId: text}))),
						enter: undefined,
					} as const,
				]),
	];
}
