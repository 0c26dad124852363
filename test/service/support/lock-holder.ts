import {takeLake} from '../../../source/service/daemon/lake-lock.ts';

/** Takes the lake named on the command line, says so, and holds it until it is ended. */
await takeLake(process.argv[2] ?? '', () => false);
process.send?.('held');
setInterval(() => {}, 1000);
