import {writeSync} from 'node:fs';

/** Preloaded into a measured process: writes the CPU time of its whole life, in µs, to descriptor 3. */
process.on('exit', () => {
	const {user, system} = process.cpuUsage();
	writeSync(3, String(user + system));
});
