/**
 * How long a service stays after its last client, in milliseconds: 10 s, so that commands typed one after the other
 * find it running. `LAKESCOPE_SERVICE_GRACE_MS` says otherwise.
 */
export function graceMs(env: NodeJS.ProcessEnv = process.env): number {
	const wanted = Number(env.LAKESCOPE_SERVICE_GRACE_MS);
	return env.LAKESCOPE_SERVICE_GRACE_MS && wanted >= 0 ? wanted : 10_000;
}
