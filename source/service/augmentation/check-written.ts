import type {Damage, DamageId} from '../../lerobot/check/damage.ts';
import {findDamage} from '../../lerobot/check/find-damage.ts';
import {DatasetError} from '../../lerobot/dataset-error.ts';
import type {ReadDatabase} from '../../lerobot/read-database.ts';

/** Damages of recordings, which go over with them: what is taken of a dataset can have those that the dataset has. */
const takenOver: ReadonlySet<DamageId> = new Set([
	'feature-names-count',
	'camera-names-missing',
	'camera-shape-differs',
	'video-codec-differs',
	'task-null',
	'values-not-finite',
	'stats-camera-missing',
	'stats-camera-implausible',
	'episode-stats-missing',
	'video-missing',
	'video-unreadable',
	'video-unlisted',
	'video-span-past-end',
	'video-spans-overlap',
	'video-spans-apart',
	'video-span-length',
	'video-span-off-grid',
	'video-frames-missing',
	'video-frames-extra',
	'video-rate-differs',
	'video-rate-varies',
	'videos-swapped',
	'videos-shifted',
]);

/** Damages that lie in what was chosen: the same recording of two datasets, or their spellings of one task. */
const chosen: ReadonlySet<DamageId> = new Set(['episode-duplicated', 'task-texts-similar']);

/** Damages of a dataset with a camera whose pictures cannot be sampled, which is told of by itself. */
export const unsampledDamages: readonly DamageId[] = ['stats-camera-missing', 'episode-stats-missing'];

type Written = {
	/** The folder, before it is published. */
	readonly folder: string;
	/** May read it. */
	readonly database: ReadDatabase;
	/** The datasets that its episodes are of, each with what may read it. */
	readonly parents: readonly {readonly folder: string; readonly database: ReadDatabase}[];
	/** Damages that are told of elsewhere, as cameras that cannot be sampled are. */
	readonly told: readonly DamageId[];
};

/**
 * Looks by `check` at a dataset that was made of others. Damages that its parents have are theirs; they are looked at only
 * where it has one.
 *
 * @throws {DatasetError} that names a damage that came with the making
 */
export async function checkWritten({folder, database, parents, told}: Written): Promise<void> {
	const found = (await findDamage(database, folder)).filter(
		({id, severity}) => severity !== 'lerobot-rule' && !chosen.has(id) && !told.includes(id),
	);
	// Figures of values that are no numbers are none either.
	const unmeasured = new Set(
		found.flatMap(({id, subject}) => (id === 'values-not-finite' && subject !== undefined ? [subject] : [])),
	);
	const own = found.filter(
		({id, subject = ''}) => !(unmeasured.has(subject) && /^(?:episode-)?stats-/.test(id)),
	);
	if (own.every(({id}) => takenOver.has(id))) {
		const before = new Set<DamageId>();
		const left = () => own.filter(({id}) => !before.has(id));
		for (const parent of parents) {
			if (left().length === 0) return;
			for (const {id} of await findDamage(parent.database, parent.folder)) before.add(id);
		}
		refuse(left());
	} else refuse(own.filter(({id}) => !takenOver.has(id)));
}

function refuse(damages: readonly Damage[]): void {
	const [first] = damages;
	if (!first) return;
	const more = damages.length > 1 ? ` and ${damages.length - 1} more` : '';
	throw new DatasetError(
		`It was written but not kept, because check finds a fault that its parents do not have: ${first.id}: ${first.message}${more}`,
	);
}
