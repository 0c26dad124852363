import {keySentence, keyWords} from '../../components/key-words.ts';
import type {FieldProblem} from '../../contract/errors.ts';
import {exactJson} from '../../contract/json-text.ts';
import {problemGone, stepOf} from '../../store/finetune/finetune-form.ts';
import {requestOf, trialHours} from '../../store/finetune/request.ts';
import {measure} from '../../terminal/quantity.ts';
import {type FormRow, type Page, words} from './form-page.ts';

/** The cost of the request, in words. */
function costWords({state, known}: Page): string {
	const hours = Number(state.form.draft.hours);
	const most = `up to ${measure(hours)} h of training`;
	const {project} = state.form.draft;
	const where = project === undefined ? '' : ` in the project ${project.name}`;
	if (known.trainer === undefined) return `It costs ${most}${where}.`;
	if (known.trainer.isRehearsal)
		return `This is a rehearsal: it walks through the phases without training. ${known.trainer.message}`;
	return `It costs ${most}${where}, on this machine (one job at a time).`;
}

/** The request as it goes out, a line each, with no value folded away. */
function jsonLines(request: Readonly<Record<string, unknown>>): readonly string[] {
	const fields = Object.entries(request).flatMap(([name, value]) => {
		const isObject = typeof value === 'object' && value !== null && Object.keys(value).length > 0;
		if (!isObject) return [`  ${exactJson(name)}: ${exactJson(value)}`];
		const inner = Object.entries(value).map(([key, each]) => `    ${exactJson(key)}: ${exactJson(each)}`);
		return [`  ${exactJson(name)}: {`, ...commas(inner), '  }'];
	});
	return ['{', ...commas(fields), '}'];
}

/** A comma behind each line that another of its object follows. */
function commas(lines: readonly string[]): readonly string[] {
	return lines.map((line, at) => {
		const next = lines[at + 1];
		const opens = line.endsWith('{');
		return next === undefined || opens || next.trim() === '}' || line.endsWith(',') ? line : `${line},`;
	});
}

/** The last page: what is still wrong, or the exact request and its price. */
export function requestRows(page: Page): readonly FormRow[] {
	const {controller, state, problems, refused, keyOf} = page;
	const {stage, draft} = state.form;
	const lines = [
		...(problems.length > 0 ? ['Request so far:'] : []),
		'POST /v1/finetune',
		...jsonLines(requestOf(draft, controller.known())),
	];
	const request = lines.map(
		(text, at): FormRow => ({
			kind: 'line',
			id: `line-${at}`,
			text,
			role: text.startsWith('POST') ? 'accent' : 'plain',
		}),
	);
	const goesTo = (problem: FieldProblem, id: string): FormRow => ({
		kind: 'line',
		id,
		text: problem.field === '' ? problem.message : `${problem.field}: ${problem.message}`,
		role: 'bad',
		enter: () => controller.change(form => problemGone(form, problem)),
	});
	const wrong = problems.map((problem, at) => goesTo(problem, `problem-${at}`));
	const said = refused.flatMap((problem, at): readonly FormRow[] =>
		// Of what is about no field there is none to go to, and it may be long.
		stepOf(problem.field) === 'request'
			? [words(problem.message, 'bad')]
			: [goesTo(problem, `refused-${at}`)],
	);
	const answer: readonly FormRow[] =
		said.length === 0 || stage.at !== 'editing'
			? []
			: [words('The service refused this request; sending it again retries:', 'warning'), ...said];
	const now: readonly FormRow[] =
		stage.at === 'sending'
			? [words('Sending.', 'accent')]
			: stage.at === 'settling'
				? [words('The answer was lost. Checking the job list.', 'warning')]
				: stage.at === 'unknown'
					? [
							words(`Outcome unknown: ${stage.reason}`, 'warning'),
							words(
								`The job is not listed yet. ${keySentence(keyOf, [
									['launch.settle', 'refreshes the list'],
									['launch.edit', 'goes back to the fields'],
								])}`,
								'warning',
							),
						]
					: problems.length > 0
						? [
								words(
									`${['Not to be sent yet', ...keyWords(keyOf, [['launch.enter', 'goes to the field']])].join('; ')}:`,
									'warning',
								),
							]
						: [
								words(costWords(page), 'strong'),
								words(
									keySentence(keyOf, [
										['launch.send', 'launches'],
										['launch.trial', `launches a trial of ${trialHours} h (${trialHours * 60} min) first`],
										['launch.copy-line', 'copies its lerobot-train line for another machine'],
									]),
									'accent',
								),
							];
	return [...answer, ...now, ...wrong, ...request];
}
