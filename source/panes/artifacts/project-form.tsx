import {type ReactNode, useState} from 'react';
import {Dialog, type DialogRow} from '../../components/dialog.tsx';
import {fieldSegments} from '../../components/field.ts';
import {useKeyOf} from '../../components/key-words.ts';
import {type Screen, useScreen} from '../../components/screen.tsx';
import type {FieldProblem} from '../../contract/errors.ts';
import {exactJson} from '../../contract/json-text.ts';
import {useExplorer} from '../../hooks/explorer.tsx';
import {type LineFieldState, useLineField} from '../../hooks/line-field.ts';
import {useWays} from '../../hooks/links.ts';
import {type Binding, pass} from '../../input/binding.ts';
import {useBindings, useMouseArea, useRouter} from '../../input/react.tsx';
import {
	createProject,
	projectProblems,
	projectRequestOf,
	readFurther,
} from '../../store/artifacts/projects.ts';
import {overlaid} from '../../store/state/transitions.ts';
import {printableLines} from '../../terminal/printable.ts';
import {type DialogKeys, dialogKeys} from '../list/dialog-keys.ts';

type ProjectFormProps = {readonly width: number; readonly height: number};

type Request = Readonly<Record<string, unknown>>;

/** The fields are filled in, the request is read and confirmed, then it is sent. */
type FormStep =
	| {readonly at: 'fields'; readonly problems: readonly FieldProblem[]}
	| {readonly at: 'request'; readonly request: Request}
	| {readonly at: 'sending'; readonly request: Request};

const widest = 72;
const labelWidth = 8;
const category = 'New project';

/** The fields, from the top. */
const fieldNames = ['name', 'further'] as const;
type FieldName = (typeof fieldNames)[number];

/** The field of the form that a problem belongs to: all fields besides the name are written in one. */
const fieldOf = ({field}: FieldProblem): FieldName => (field === 'name' ? 'name' : 'further');

/** A problem as its row says it: a field that is part of a row is named. */
const problemWords = ({field, message}: FieldProblem) =>
	field === '' || fieldNames.some(name => name === field) ? message : `${field}: ${message}`;

const none: readonly FieldProblem[] = [];

/** Creates a project: asks for its name and its other fields, and shows the request before it is sent. */
export function ProjectForm({width, height}: ProjectFormProps): ReactNode {
	const screen = useScreen();
	const router = useRouter();
	const form = useProjectForm();
	const {step, fields, at, goTo} = form;
	const bindings = step.at === 'fields' ? fieldBindings(form) : requestBindings(form);
	useBindings({
		id: 'project-form',
		level: 'dialog',
		modal: true,
		bindings,
		...(step.at === 'fields' && {text: fields[at].type}),
	});
	const keys = dialogKeys(bindings, useKeyOf(bindings));
	const wide = Math.min(widest, width);
	const look = {inner: Math.max(1, wide - 4), screen};
	const rows: readonly FormRow[] =
		step.at === 'fields' ? fieldRows(form, step.problems, look) : requestRows(step, keys, look);
	const shown = rows.slice(0, Math.max(1, height - 2));
	const area = useMouseArea({
		id: 'project-form',
		level: 'dialog',
		within: 'project-form',
		press(row, column) {
			if (step.at === 'fields') {
				const pressed = shown[row - 1]?.field;
				return pressed === undefined ? pass : goTo(pressed);
			}
			const action = shown[row - 1] === keys.row ? keys.actionAt(column) : undefined;
			return action === undefined ? pass : router.run(action);
		},
	});
	return (
		<Dialog
			title="New project"
			width={wide}
			rows={shown}
			screenWidth={width}
			screenHeight={height}
			area={area}
		/>
	);
}

type Form = {
	readonly step: FormStep;
	readonly fields: Readonly<Record<FieldName, LineFieldState>>;
	/** The field with the caret. */
	readonly at: FieldName;
	readonly goTo: (field: FieldName) => void;
	readonly otherField: () => void;
	/** Reads the fields and goes on to the request, or says what is wrong with them. */
	readonly next: () => void;
	readonly back: () => void;
	readonly send: (request: Request) => void;
	readonly explainWaiting: () => void;
	readonly close: () => void;
};

/** The state of the form and its transitions. */
function useProjectForm(): Form {
	const explorer = useExplorer();
	const {to} = useWays();
	const [at, setAt] = useState<FieldName>('name');
	const [step, setStep] = useState<FormStep>({at: 'fields', problems: none});
	const correct = (problems: readonly FieldProblem[] = none) => {
		setStep({at: 'fields', problems});
		const [first] = problems;
		if (first !== undefined && first.field !== '') setAt(fieldOf(first));
	};
	// A problem belongs to the text before the change.
	const typed = () => {
		if (step.at === 'fields' && step.problems.length > 0) correct();
	};
	const fields = {name: useLineField('', typed), further: useLineField('', typed)};
	const close = () => explorer.update(overlaid(undefined));
	const send = async (request: Request) => {
		setStep({at: 'sending', request});
		try {
			const outcome = await createProject(explorer.client, request);
			close();
			explorer.catalog.projects.refetch();
			if (outcome.kind === 'unknown') {
				const text = `Outcome unknown, and no project of this name is listed: ${outcome.reason}`;
				explorer.notify('warning', text);
				return;
			}
			const what = outcome.isNew ? 'is created' : 'already existed';
			explorer.notify('info', `The project ${String(request.name)} ${what}.`);
			to({kind: 'project', id: outcome.id});
		} catch (error) {
			correct(projectProblems(error));
		}
	};
	return {
		step,
		fields,
		at,
		close,
		goTo: setAt,
		otherField: () => setAt(before => (before === 'name' ? 'further' : 'name')),
		next() {
			const name = fields.name.now().text.trim();
			const read = readFurther(fields.further.now().text);
			if (name === '') correct([{field: 'name', message: 'A project needs a name.'}]);
			else if (!read.ok) correct([{field: 'further', message: read.reason}]);
			else setStep({at: 'request', request: projectRequestOf(name, read.further)});
		},
		back: () => correct(),
		send: request => void send(request),
		explainWaiting: () => explorer.notify('info', 'The request is sent; waiting for the answer.'),
	};
}

function fieldBindings({next, otherField, close}: Form): readonly Binding[] {
	return [
		{
			keys: ['enter'],
			action: 'project-form.ask',
			description: 'next',
			category,
			footer: 1,
			run: next,
		},
		{
			keys: ['tab', 'shift+tab', 'up', 'down'],
			action: 'project-form.field',
			description: 'other field',
			category,
			footer: 2,
			run: otherField,
		},
		{
			keys: ['esc'],
			action: 'project-form.leave',
			description: 'cancel',
			category,
			footer: 3,
			run: close,
		},
	];
}

function requestBindings({step, send, back, explainWaiting}: Form): readonly Binding[] {
	if (step.at !== 'request') {
		return [
			{
				keys: ['esc', 'enter', 'y', 'n'],
				action: 'project-form.waiting',
				description: 'waiting for the answer',
				category,
				run: explainWaiting,
			},
		];
	}
	return [
		{
			keys: ['y'],
			action: 'project-form.create',
			description: 'create',
			category,
			footer: 1,
			run: () => send(step.request),
		},
		{
			keys: ['n', 'esc', 'enter'],
			action: 'project-form.back',
			description: 'back to the fields',
			category,
			footer: 2,
			run: back,
		},
	];
}

/** A row of the form; that of a field names it, for a press. */
type FormRow = DialogRow & {readonly field?: FieldName};

type Look = {
	/** Cells between the blanks inside the frame. */
	readonly inner: number;
	readonly screen: Screen;
};

function words(text: string, {inner, screen}: Look, role: 'plain' | 'dim' | 'bad' | 'accent' = 'plain') {
	return printableLines(text, inner, screen.drawing).map(
		(line): DialogRow => ({segments: [' ', {text: line, role}]}),
	);
}

const furtherNote =
	"More: an optional JSON object, sent unchanged; the interface does not list a project's fields.";

function fieldRows({fields, at}: Form, problems: readonly FieldProblem[], look: Look): readonly FormRow[] {
	const {inner, screen} = look;
	const row = (label: string, name: FieldName): FormRow => {
		const {field} = fields[name];
		const room = Math.max(0, inner - labelWidth);
		return {
			field: name,
			segments: [
				' ',
				screen.cell(label, labelWidth, {role: name === at ? 'focus' : 'dim'}),
				...(name === at ? fieldSegments(field, room, screen) : [screen.cell(field.text, room)]),
			],
		};
	};
	const wordsOf = (some: readonly FieldProblem[]) =>
		some.flatMap(problem => words(problemWords(problem), look, 'bad'));
	const problemsAt = (name: FieldName) =>
		wordsOf(problems.filter(problem => problem.field !== '' && fieldOf(problem) === name));
	const others = problems.filter(({field}) => field === '');
	return [
		row('name', 'name'),
		...problemsAt('name'),
		row('more', 'further'),
		...problemsAt('further'),
		...words(furtherNote, look, 'dim'),
		...(others.length === 0 ? [] : [{segments: []}, ...wordsOf(others)]),
	];
}

function requestRows(
	step: {readonly at: 'request' | 'sending'; readonly request: Request},
	keys: DialogKeys,
	look: Look,
): readonly DialogRow[] {
	return [
		...words('POST /v1/projects', look, 'accent'),
		...words(exactJson(step.request) ?? '', look),
		{segments: []},
		...(step.at === 'sending' ? words('Sending.', look, 'dim') : [keys.row]),
	];
}
