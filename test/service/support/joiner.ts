import {joinEmbeddedService} from '../../../source/service/front-door.ts';

/** Joins the lake named on the command line, tells what it found, and holds it until it is ended. */
const {url, key, pid, startedHere, held} = await joinEmbeddedService({lakeFolder: process.argv[2] ?? ''});
await held;
process.send?.({url, key, pid, startedHere});
// The connection alone may not keep this process alive.
setInterval(() => undefined, 60_000);
