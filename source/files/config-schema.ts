import * as z from 'zod';

/** The configuration's entries. Each is read by itself, so that a wrong one costs no other. */
export const configEntries = {
	/** The service's address; the embedded service without it. */
	url: z.string().min(1),
	/** The account to act on. */
	account: z.string().min(1),
	/** The lake's folder. */
	lake: z.string().min(1),
	/** The key; better in the key file, which the configuration may then be shown without. */
	key: z.string().min(1),
	/** A file that holds the key. */
	keyFile: z.string().min(1),
	/** The command that trains on this machine; `lerobot-train` on the PATH without it. */
	trainer: z.string().min(1),
	/** A file with certificates (PEM) to trust besides the system's. */
	caFile: z.string().min(1),
	/** Send the key over plain http to other machines too. */
	allowHttp: z.boolean(),
	/** Refuse whatever changes something. */
	readOnly: z.boolean(),
};

export type Config = {readonly [Name in keyof typeof configEntries]?: z.output<(typeof configEntries)[Name]>};
