import {execFile} from 'node:child_process';
import type {TmuxAnswers} from './way.ts';

/** tmux is slow to answer only where its server hangs. */
const withinMs = 1000;

const told = '#{client_termtype} #{client_termname}\t#{client_termfeatures}';

/**
 * Asks the tmux that this runs in, by its own command, what its terminals would answer through it: whether it passes
 * sequences on here, and on which terminals it is shown.
 *
 * @param pane what tmux calls the pane (`TMUX_PANE`).
 * @returns undefined where it tells nothing: on another machine, or before 3.3, which knows no such setting.
 */
export function askTmux(pane: string): Promise<TmuxAnswers | undefined> {
	const option = ['show-options', '-Apv', '-t', pane, 'allow-passthrough'];
	const clients = ['list-clients', '-t', pane, '-F', told];
	return new Promise(resolve => {
		execFile('tmux', [...option, ';', ...clients], {timeout: withinMs}, (error, stdout) => {
			resolve(error === null ? readAnswer(stdout) : undefined);
		});
	});
}

function readAnswer(text: string): TmuxAnswers {
	const [setting = '', ...lines] = text.split('\n');
	const terminals = lines
		.filter(line => line !== '')
		.map(line => {
			const [name = '', features = ''] = line.split('\t');
			return {name, hasSixel: features.split(',').includes('sixel')};
		});
	return {passesThrough: setting === 'on' || setting === 'all', terminals};
}
