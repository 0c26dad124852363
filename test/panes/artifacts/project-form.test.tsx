import {expect, test} from 'vitest';
import {ProjectForm} from '../../../source/panes/artifacts/project-form.tsx';
import {dialogOf, widths} from '../../support/dialog.tsx';

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
