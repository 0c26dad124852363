import type {DatabaseSync} from 'node:sqlite';
import type {CreditLedger} from '../../contract/local-augmentations.ts';

/**
 * The credits of augmentations. Each function is one statement, and what it does cannot be done twice: a frame is paid
 * once however often the work begins anew, and what is unused goes back once, whoever finds first that the job is over.
 */
export class Credits {
	readonly #database: DatabaseSync;

	constructor(database: DatabaseSync) {
		this.#database = database;
	}

	reserve(jobId: string, amount: number): void {
		this.#database
			.prepare('INSERT INTO augmentation_credits (job_id, reserved) VALUES (?, ?)')
			.run(jobId, amount);
	}

	/** @param amount used in all so far; never less than before, never more than was reserved */
	use(jobId: string, amount: number): void {
		this.#database
			.prepare(
				`UPDATE augmentation_credits SET used = max(used, min(reserved, ?))
				WHERE job_id = ? AND finalized_at IS NULL`,
			)
			.run(amount, jobId);
	}

	/** Gives back what was not used; only the first time. */
	finalize(jobId: string, at: string): void {
		this.#database
			.prepare(
				`UPDATE augmentation_credits SET returned = reserved - used, finalized_at = ?
				WHERE job_id = ? AND finalized_at IS NULL`,
			)
			.run(at, jobId);
	}

	of(jobId: string): CreditLedger {
		const row = this.#database
			.prepare('SELECT reserved, used, returned, finalized_at FROM augmentation_credits WHERE job_id = ?')
			.get(jobId);
		return {
			reserved: Number(row?.reserved ?? 0),
			used: Number(row?.used ?? 0),
			returned: Number(row?.returned ?? 0),
			finalized_at: row?.finalized_at == null ? null : String(row.finalized_at),
		};
	}
}
