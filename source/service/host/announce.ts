/** Something that happened to what an account owns: a name, and a small object of ids and states. */
export type Announcement = {readonly name: string; readonly data: object};

/**
 * Notifies the readers of `GET /v1/events`. Call it once the change is durable: readers refetch at once.
 * It never throws and never waits.
 */
export type Announce = (event: Announcement) => void;
