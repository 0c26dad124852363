import {spawn} from 'node:child_process';
import {text} from 'node:stream/consumers';

/** A child that does what its arguments say: what the tests of its bounds run. */
const [deed, ...rest] = process.argv.slice(2);

if (deed === 'echo') process.stdout.write(await text(process.stdin));
else if (deed === 'say') {
	process.stdout.write(rest[0] ?? '');
	process.stderr.write(rest[1] ?? '');
	process.exitCode = Number(rest[2] ?? 0);
} else if (deed === 'grow') {
	// Held, and written to, so that the memory is really taken.
	const held: Buffer[] = [];
	setInterval(() => held.push(Buffer.alloc(16 * 1024 * 1024, held.length + 1)), 5);
} else if (deed === 'chatter') setInterval(() => process.stdout.write('.'), 20);
else if (deed === 'wait') setInterval(() => {}, 1000);
else if (deed === 'die') process.kill(process.pid, rest[0] as NodeJS.Signals);
else if (deed === 'parent') {
	const child = spawn(process.execPath, [process.argv[1] ?? '', 'wait'], {stdio: 'inherit'});
	process.stdout.write(`${child.pid}\n`);
	setInterval(() => {}, 1000);
}
