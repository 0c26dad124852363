import {expect, test} from 'vitest';
import {ProjectForm} from '../../../source/panes/artifacts/project-form.tsx';
import {overlaid} from '../../../source/store/state/transitions.ts';
import type {Fault} from '../../hosted-service/faults.ts';
import {explorerOf} from '../../store/support.ts';
import {dialogOf, showDialog, widths} from '../../support/dialog.tsx';
import {hosted} from '../../support/hosted.ts';

test.each(widths)(
	'%i columns: a project needs a name, and the request shows before it is sent',
	async width => {
		const {pane} = await dialogOf('project', ProjectForm, {width});
		await pane.until('name');
		pane.press('enter');
		await pane.until('A project needs a name.');
		pane.type('towels');
		await expect.poll(() => pane.rows().join('\n')).not.toContain('A project needs a name.');
		pane.press('enter');
		const rows = await pane.until('POST /v1/projects');
		expect(rows.join('\n')).toContain('"towels"');
		pane.press('esc');
		await pane.until(/name +towels/);
	},
);

test('fields that are not a JSON object are refused, and those that are stand in the request', async () => {
	const {pane} = await dialogOf('project', ProjectForm);
	await pane.until('name');
	pane.type('towels');
	pane.press('tab');
	pane.type('[1]');
	pane.press('enter');
	await pane.until('JSON object');
	pane.press('ctrl+u');
	pane.type('{"team": "fold"}');
	pane.press('enter');
	const rows = await pane.until('POST /v1/projects');
	expect(rows.join('\n')).toMatch(/"team": ?"fold"/);
});

test('a project that is confirmed is created, and opened', async () => {
	const {explorer, pane, notice, closed} = await dialogOf('project', ProjectForm);
	await pane.until('name');
	pane.type('towels');
	pane.press('enter');
	await pane.until('POST /v1/projects');
	pane.press('y');
	await closed();
	await expect.poll(notice).toBe('The project towels is created.');
	expect(explorer.state.getState().view).toBe('projects');
});

/** The form over a service that refuses the first request with this issue. */
async function refusedOnce(loc: readonly string[], msg: string) {
	const fault: Fault = async ({attempt, settle, send}) => {
		const issue = {loc: ['body', ...loc], msg, type: 'value_error'};
		send(attempt === 1 ? {status: 422, json: {detail: [issue]}} : await settle());
	};
	const explorer = explorerOf(await hosted({faults: {'POST /v1/projects': fault}}));
	explorer.update(overlaid('project'));
	const shown = await showDialog(explorer, ProjectForm, {width: 80, height: 16});
	shown.pane.type('towels');
	shown.pane.press('tab');
	shown.pane.type('{"team": 1}');
	shown.pane.press('enter');
	await shown.pane.until('POST /v1/projects');
	shown.pane.press('y');
	return shown;
}

test('a refused name is said below the name, goes with the next letter, and the next try is sent', async () => {
	const {pane, notice, closed} = await refusedOnce(['name'], 'The name is taken.');
	await pane.until(/name +towels.*\n.*The name is taken\..*\n.*more/);
	pane.type('2');
	await expect.poll(() => pane.rows().join('\n')).not.toContain('The name is taken.');
	await pane.until(/name +towels2/);
	pane.press('enter');
	await pane.until('POST /v1/projects');
	pane.press('y');
	await closed();
	await expect.poll(notice).toBe('The project towels2 is created.');
});

test('a refused field among the others is named below them', async () => {
	const {pane} = await refusedOnce(['team'], 'Input should be a valid string');
	await pane.until(/more +\{"team": 1\}.*\n.*team: Input should be a valid string/);
	pane.press('tab');
	pane.press('enter');
	await pane.until('POST /v1/projects');
});
