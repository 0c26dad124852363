import {createHash} from 'node:crypto';
import type {FeatureLayout, NumericFeature} from './features.ts';
import type {DatasetInfo} from './info.ts';

/**
 * A readable name that tells embodiments apart: `so101_follower-30hz-3f9a` is the robot's type, the frames a second, and
 * a hash over the names, dtypes and shapes of action, state and cameras. How the pictures are encoded, and whether
 * they are kept as video at all, is left out.
 */
export function interfaceHash(info: DatasetInfo, layout: FeatureLayout): string {
	const vector = (feature: NumericFeature | undefined) =>
		feature ? [feature.key, feature.dtype, feature.shape, feature.names] : null;
	const content = [
		vector(layout.action),
		vector(layout.state),
		layout.cameras.map(key => [key, info.features[key]?.shape ?? []]).sort(byText),
	];
	const digest = createHash('sha256').update(JSON.stringify(content)).digest('hex').slice(0, 4);
	return `${robotSlug(info.robot_type)}-${Number(info.fps.toFixed(3))}hz-${digest}`;
}

function byText(a: unknown, b: unknown): number {
	return JSON.stringify(a) < JSON.stringify(b) ? -1 : 1;
}

function robotSlug(robotType: string | null | undefined): string {
	const slug = (robotType ?? '')
		.toLowerCase()
		.replace(/[^a-z0-9]+/g, '_')
		.replace(/^_+|_+$/g, '')
		.slice(0, 64);
	return slug || 'unknown';
}
