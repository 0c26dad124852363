/** Something that happened to what an account owns: a name, and a small object of ids and states. */
export type Announcement = {readonly name: string; readonly data: object};

/**
 * Tells whoever listens on `GET /v1/events`. Call it after what it tells of is durable: a listener fetches at once.
 * It never throws and never waits.
 */
export type Announce = (event: Announcement) => void;
