import type {PtyProgram} from '../../support/pty.ts';

/** Fills the form in against a hosted service, for the first dataset that can be trained on, up to its last page. */
export async function fillHosted(explorer: PtyProgram, hours: string): Promise<void> {
	explorer.press('4', 't');
	await explorer.until(
		({text}) => /lerobot_v3, newest first · 1 of /.test(text) && /▸acme\/\S+ +lerobot_v3 /.test(text),
		'the datasets',
	);
	explorer.press('l');
	await explorer.until(({text}) => /▸ +folding/.test(text), 'the projects');
	explorer.press('enter');
	await explorer.until(({text}) => /▸ +act /.test(text) && text.includes('Image keys: '), 'the types');
	explorer.press('enter');
	await explorer.until(({text}) => /▸ front +\?/.test(text), 'the cameras');
	explorer.press('enter', 'left', 'left');
	await explorer.until(({text}) => /▸ wrist +\? unused/.test(text), 'the second camera, unused');
	explorer.press('enter');
	await explorer.until(({text}) => /▸ hours/.test(text), 'the training');
	explorer.type(hours);
	explorer.press('pagedown', 'pagedown');
	await explorer.until(({text}) => text.includes('POST /v1/finetune'), 'the last page');
}

/**
 * Composes what the form was opened for on the embedded service, and fills the form in up to the hours, which are 1: a
 * new project, `act`, the camera as it is offered.
 */
export async function fillComposed(
	explorer: PtyProgram,
	{name, camera}: {readonly name: string; readonly camera: string},
): Promise<void> {
	explorer.type(name);
	explorer.press('enter');
	await explorer.until(({text}) => /▸ new project/.test(text), 'the projects, once it is composed');
	explorer.type('tests');
	explorer.press('enter');
	await explorer.until(({text}) => /▸ +act /.test(text) && text.includes(camera), 'the types');
	explorer.press('enter');
	await explorer.until(({text}) => /▸ front +.*offered: enter confirms/.test(text), 'the camera, offered');
	explorer.press('enter');
	await explorer.until(({text}) => /▸ hours/.test(text), 'the training');
	explorer.type('1');
}
