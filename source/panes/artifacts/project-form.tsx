import {type ReactNode, useCallback, useMemo, useState} from 'react';
import {Dialog, type DialogRow} from '../../components/dialog.tsx';
import {fieldSegments} from '../../components/field.ts';
import {useKeyOf} from '../../components/key-words.ts';
import {useScreen} from '../../components/screen.tsx';
import {exactJson} from '../../contract/json-text.ts';
import {useExplorer} from '../../hooks/explorer.tsx';
import {type LineFieldState, useLineField} from '../../hooks/line-field.ts';
import {useWays} from '../../hooks/links.ts';
import {type Binding, pass} from '../../input/binding.ts';
import {useBindings, useMouseArea, useRouter} from '../../input/react.tsx';
import {createProject, projectRequestOf, readFurther} from '../../store/artifacts/projects.ts';
import {overlaid} from '../../store/state/transitions.ts';
import {printableLines} from '../../terminal/printable.ts';
import {dialogKeys} from '../list/dialog-keys.ts';

type ProjectFormProps = {readonly width: number; readonly height: number};

type SessionManager =
	| {readonly at: 'fields'; readonly trouble: string | undefined}
	| {readonly at: 'question'; readonly request: Readonly<Record<string, unknown>>}
	| {readonly at: 'sending'; readonly request: Readonly<Record<string, unknown>>};

const widest = 72;
const labelWidth = 8;
const category = 'New project';

/** The fields, as they stand below the title. */
const fieldRows = ['name', 'further'] as const;

/** Asks for a project's name, and for whatever else the service takes; shows the request before it is sent. */
export function ProjectForm({width, height}: ProjectFormProps): ReactNode {
	const explorer = useExplorer();
	const screen = useScreen();
	const router = useRouter();
	const {to} = useWays();
	const [field, setField] = useState<(typeof fieldRows)[number]>('name');
	const [stage, setStage] = useState<SessionManager>({at: 'fields', trouble: undefined});
	// What was said was said of what stood there.
	const typed = useCallback(
		() =>
			setStage(before =>
				before.at === 'fields' && before.trouble !== undefined ? {at: 'fields', trouble: undefined} : before,
			),
		[],
	);
	const name = useLineField('', typed);
	const further = useLineField('', typed);
	const current = field === 'name' ? name : further;

	const bindings = useMemo<readonly Binding[]>(() => {
		const close = () => explorer.update(overlaid(undefined));
		const leave: Binding = {
			keys: ['esc'],
			action: 'project-form.leave',
			description: 'cancel',
			category,
			footer: 3,
			run: close,
		};
		if (stage.at === 'sending') return [];
		if (stage.at === 'question') {
			const {request} = stage;
			return [
				{
					keys: ['y'],
					action: 'project-form.create',
					description: 'create',
					category,
					footer: 1,
					run() {
						setStage({at: 'sending', request});
						void createProject(explorer.client, request).then(
							outcome => {
								close();
								explorer.catalog.projects.refetch();
								if (outcome.kind === 'unknown') {
									explorer.notify(
										'warning',
										`Outcome unknown, and no project of this name is listed: ${outcome.reason}`,
									);
									return;
								}
								const what = outcome.isNew ? 'is created' : 'already existed';
								explorer.notify('info', `The project ${String(request.name)} ${what}.`);
								to({kind: 'project', id: outcome.id});
							},
							(error: unknown) => {
								const trouble = error instanceof Error ? error.message : String(error);
								setStage({at: 'fields', trouble});
							},
						);
					},
				},
				{
					keys: ['n', 'esc', 'enter'],
					action: 'project-form.back',
					description: 'back to the fields',
					category,
					footer: 2,
					run: () => setStage({at: 'fields', trouble: undefined}),
				},
			];
		}
		return [
			{
				keys: ['enter'],
				action: 'project-form.ask',
				description: 'next',
				category,
				footer: 1,
				run() {
					const wanted = name.now().text.trim();
					const read = readFurther(further.now().text);
					if (wanted === '') return setStage({at: 'fields', trouble: 'A project needs a name.'});
					if (!read.ok) return setStage({at: 'fields', trouble: read.reason});
					setStage({at: 'question', request: projectRequestOf(wanted, read.further)});
				},
			},
			{
				keys: ['tab', 'shift+tab', 'up', 'down'],
				action: 'project-form.field',
				description: 'other field',
				category,
				footer: 2,
				run: () => setField(before => (before === 'name' ? 'further' : 'name')),
			},
			leave,
		];
	}, [explorer, stage, name, further, to]);
	useBindings({
		id: 'project-form',
		level: 'dialog',
		modal: true,
		bindings,
		...(stage.at === 'fields' ? {text: current.type} : {}),
	});

	const keys = dialogKeys(bindings, useKeyOf(bindings));
	const wide = Math.min(widest, width);
	const inner = Math.max(1, wide - 4);
	const words = (text: string, role: 'plain' | 'dim' | 'bad' | 'accent' = 'plain'): DialogRow[] =>
		printableLines(text, inner, screen.drawing).map(line => ({segments: [' ', {text: line, role}]}));
	const row = (label: string, state: LineFieldState, isAt: boolean): DialogRow => ({
		segments: [
			' ',
			screen.cell(label, labelWidth, {role: isAt ? 'focus' : 'dim'}),
			...(isAt
				? fieldSegments(state.field, inner - labelWidth, screen)
				: [screen.cell(state.field.text, Math.max(0, inner - labelWidth))]),
		],
	});
	const rows =
		stage.at === 'fields'
			? [
					row('name', name, field === 'name'),
					row('more', further, field === 'further'),
					...words(
						"More: an optional JSON object, sent unchanged; the interface does not list a project's fields.",
						'dim',
					),
					...(stage.trouble === undefined ? [] : [{segments: []}, ...words(stage.trouble, 'bad')]),
				]
			: [
					...words('POST /v1/projects', 'accent'),
					...words(exactJson(stage.request)),
					{segments: []},
					...(stage.at === 'sending' ? words('Sending.', 'dim') : [keys.row]),
				];
	const shown = rows.slice(0, Math.max(1, height - 2));
	const area = useMouseArea({
		id: 'project-form',
		level: 'dialog',
		within: 'project-form',
		press(row, column) {
			if (stage.at === 'fields') {
				const pressed = fieldRows[row - 1];
				return pressed === undefined ? pass : setField(pressed);
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
