import type {FinetuneRequest} from '../../contract/finetune.ts';
import type {JobItem} from '../../contract/listing.ts';

/** Whether a listed job can be what a request asked for: what it tells, it must tell alike. */
function canBe(item: JobItem, request: FinetuneRequest): boolean {
	if (item.project_id.toLowerCase() !== request.project_id.toLowerCase()) return false;
	const told: readonly (readonly [unknown, unknown])[] = [
		[item.name, request.name],
		[item.vla_type, request.vla_type],
		[item.dataset_path, request.dataset_id],
		[item.hours, request.hours],
	];
	return told.every(([has, wanted]) => has == null || wanted === undefined || has === wanted);
}

/**
 * The job that a request made whose answer was lost: one that was not listed before, and tells nothing else than was asked
 * for. Where several are, somebody else launched the like at the same time, and the service's first is taken.
 */
export function jobMadeBy(
	request: FinetuneRequest,
	listed: readonly JobItem[],
	before: ReadonlySet<string>,
): string | undefined {
	return listed.find(item => !before.has(item.job_id) && canBe(item, request))?.job_id;
}
