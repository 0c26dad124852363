import type {Screen} from '../../components/screen.tsx';
import type {Role} from '../../components/theme.ts';
import {type ChannelPredicateEvidence, type LakeEpisode, lakeEpisode} from '../../contract/episode.ts';
import type {ExploreRequest} from '../../contract/explore.ts';
import {heldMetrics, metricOf} from '../../contract/metrics.ts';
import {signOf} from '../../query/term.ts';
import {checkEvidence, evidenceFor, predicateName} from '../../store/episodes/check-evidence.ts';
import {ownEvidence, ownEvidenceField} from '../../store/episodes/evidence-watch.ts';
import {grouped, measure, measureBeside, scoreMeasure, span} from '../../terminal/quantity.ts';
import {reviewLook, tierLook} from '../list/figure-words.ts';

/** One thing known of an episode. */
export type Field = {
	readonly label: string;
	readonly value: string;
	readonly role?: Role;
	/** Takes lines of its own rather than a cell of the grid. */
	readonly long?: boolean;
};

export type Section = {readonly title: string; readonly fields: readonly Field[]};

/** True if lakescope's own ingest measured the episode, whose definitions can then be shown. */
type MetricsKnown = {readonly isMeasuredHere?: boolean};

/** Everything an episode says of itself, in the order that people ask for it. */
export function episodeSections(
	episode: LakeEpisode,
	{evidence, predicates = [], isMeasuredHere = false}: EvidenceAsked & MetricsKnown,
	screen: Screen,
): readonly Section[] {
	const own = ownEvidence(episode);
	const sections = [
		{title: 'Episode', fields: plainFields(episode, screen)},
		{title: 'Evidence', fields: evidenceFields(own ?? evidence, predicates, screen)},
		{title: 'Metrics', fields: metricFields(episode, isMeasuredHere)},
		{title: 'Lineage', fields: lineageFields(episode)},
		{title: 'Identity', fields: identityFields(episode)},
		{title: 'Further fields', fields: unknownFields(episode, own !== undefined)},
	];
	return sections.filter(({fields}) => fields.length > 0);
}

function plainFields(episode: LakeEpisode, screen: Screen): Field[] {
	const tier = tierLook(episode.tier, screen);
	const review = reviewLook(episode.review_state, screen);
	return [
		{label: 'task', value: episode.task ?? '', long: true},
		{label: 'dataset', value: episode.dataset_name},
		{label: 'index', value: String(episode.episode_index)},
		{label: 'duration', value: span(episode.duration_seconds)},
		{label: 'frames', value: grouped(episode.frame_count)},
		{label: 'tier', value: tier.text, role: tier.role},
		{label: 'review', value: review.text, role: review.role},
		{label: 'quality_score', value: episode.quality_score == null ? '' : scoreMeasure(episode.quality_score)},
		{label: 'layout', value: episode.interface_hash ?? '', long: true},
		...(episode.tags == null || episode.tags.length === 0
			? []
			: [{label: 'tags', value: episode.tags.join(', '), long: true}]),
	];
}

function lineageFields(episode: LakeEpisode): Field[] {
	const {parent_episode_id, parent_episode_index, member_ordinal, parent_dataset_name} = episode;
	if (parent_episode_id == null && parent_episode_index == null) {
		return [{label: 'parent', value: 'none: an original recording', role: 'dim'}];
	}
	return [
		...(parent_dataset_name == null
			? []
			: [{label: 'parent dataset', value: parent_dataset_name, long: true}]),
		{label: 'parent index', value: parent_episode_index == null ? '' : String(parent_episode_index)},
		{label: 'member', value: member_ordinal == null ? '' : grouped(member_ordinal)},
		{label: 'parent id', value: parent_episode_id ?? '', long: true},
	];
}

function identityFields(episode: LakeEpisode): Field[] {
	const fields: Field[] = [
		{label: 'episode id', value: episode.episode_id, long: true},
		{label: 'dataset id', value: episode.dataset_id, long: true},
	];
	const further = {
		'dataset version': episode.dataset_version_id,
		revision: episode.episode_revision_id,
		thumbnail: episode.thumb_url,
	};
	for (const [label, value] of Object.entries(further)) {
		if (value != null) fields.push({label, value, long: true});
	}
	return fields;
}

/** The metrics that can be filtered by come first, under the names that the filter knows. */
function metricFields(episode: LakeEpisode, isMeasuredHere: boolean): Field[] {
	const held = episode.metrics ?? {};
	const known = heldMetrics.filter(name => Object.hasOwn(held, name));
	// Findings stand above, as the reasons that they are.
	const others = Object.keys(held).filter(
		name => name !== 'findings' && !(known as readonly string[]).includes(name),
	);
	return [...known, ...others].map(name => {
		const field = freeField(name, held[name]);
		const metric = isMeasuredHere ? metricOf(name) : undefined;
		const {unit, detail} = metric ?? {};
		if (field.value === '') return field;
		if (detail !== undefined) return {...field, value: `${field.value} ${detail}`, long: true};
		return unit === undefined ? field : {...field, value: `${field.value} ${unit}`};
	});
}

function freeField(label: string, value: unknown): Field {
	if (value === null) return {label, value: ''};
	if (typeof value === 'number' || typeof value === 'bigint') return {label, value: measure(value)};
	if (typeof value === 'boolean') return {label, value: String(value)};
	if (Array.isArray(value) && value.length > 0 && value.every(item => typeof item === 'string')) {
		return {label, value: value.join('; '), long: true};
	}
	return {label, value: typeof value === 'string' ? value : rawJson(value), long: true};
}

function unknownFields(episode: LakeEpisode, isEvidenceShown: boolean): Field[] {
	return Object.entries(episode)
		.filter(([name]) => !Object.hasOwn(lakeEpisode.shape, name))
		.filter(([name]) => name !== ownEvidenceField || !isEvidenceShown)
		.map(([label, value]) => ({label, value: rawJson(value), long: true}));
}

/** JSON as the service wrote it, 64-bit integers with all their digits. */
function rawJson(value: unknown): string {
	if (typeof value === 'bigint') return String(value);
	if (Array.isArray(value)) return `[${value.map(rawJson).join(', ')}]`;
	if (typeof value === 'object' && value !== null) {
		return `{${Object.entries(value)
			.map(([name, item]) => `${JSON.stringify(name)}: ${rawJson(item)}`)
			.join(', ')}}`;
	}
	return JSON.stringify(value) ?? '';
}

/** The channel predicates of the filter, and the evidence found for one episode. */
type EvidenceAsked = {
	readonly evidence?: readonly ChannelPredicateEvidence[] | undefined;
	readonly predicates?: ExploreRequest['channel_predicates'];
};

const signs: Readonly<Record<string, string>> = signOf;

/** Each row of evidence whole, with what checking it says; a predicate without evidence is named, once there is any. */
function evidenceFields(
	evidence: readonly ChannelPredicateEvidence[] | undefined,
	predicates: NonNullable<ExploreRequest['channel_predicates']>,
	screen: Screen,
): readonly Field[] {
	if (evidence === undefined) return [];
	const missing = predicates.flatMap((predicate, place): readonly Field[] => {
		if (evidenceFor(evidence, place) !== undefined) return [];
		const value = `${screen.signs.no} ${predicateName(predicate)}: no evidence returned`;
		return [{label: labelOf(place), value, role: 'bad', long: true}];
	});
	return [...evidence.map(item => evidenceField(item, predicates, screen)), ...missing];
}

const labelOf = (place: number) => `predicate ${place + 1}`;

function evidenceField(
	item: ChannelPredicateEvidence,
	predicates: NonNullable<ExploreRequest['channel_predicates']>,
	screen: Screen,
): Field {
	const {op, threshold, observed_value, native_channel, native_index, predicate_index} = item;
	const {margin, problem} = checkEvidence(item, predicates);
	const {yes, no, separator} = screen.signs;
	const compared = `${measureBeside(observed_value, threshold)} ${signs[op] ?? op} ${measureBeside(threshold, observed_value)}`;
	const parts = [
		`${problem === undefined ? yes : no} ${predicateName(item)} ${compared}`,
		`margin ${measure(margin)}`,
		`at ${native_channel} [${native_index}]`,
		...(problem === undefined ? [] : [problem]),
	];
	const field = {label: labelOf(predicate_index), value: parts.join(` ${separator} `), long: true};
	return problem === undefined ? field : {...field, role: 'bad'};
}
