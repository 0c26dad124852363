import {test} from 'vitest';
import {startInPty} from './pty.ts';

test('each frame is seen, however many come in one read', async () => {
	const frames = ['first', 'second', 'third'].map(word => `\\033[?2026h\\033[H\\033[2K${word}\\033[?2026l`);
	const program = startInPty('/bin/sh', ['-c', `read go; printf '${frames.join('')}'; read stay`]);
	const seen = Promise.all([
		program.untilText('first'),
		program.untilText('second'),
		program.untilText('third'),
	]);
	program.press('enter');
	await seen;
	program.press('enter');
	await program.untilExit();
});
