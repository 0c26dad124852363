import {editInfo, rewriteParquet} from './dataset-damage.ts';
import {dataFile} from './lerobot-dataset.ts';

/** A row of `language_persistent`: what holds from a moment of its episode on. */
export type PersistentRow = {
	episode: number;
	at: number;
	role?: string;
	style: string;
	content: string;
};

/** A row of `language_events`: what happens at a frame. */
export type EventRow = {
	episode: number;
	frame: number;
	role: string;
	style?: string;
	content?: string;
	camera?: string;
	toolCalls?: readonly string[];
};

const text = (value: string | undefined) =>
	value === undefined ? 'NULL::VARCHAR' : `'${value.replaceAll("'", "''")}'`;

const rowsOf = (rows: readonly string[], type: string) => `CAST([${rows.join(', ')}] AS ${type})`;
const fields = 'role VARCHAR, content VARCHAR, style VARCHAR';
const persistentType = `STRUCT(${fields}, "timestamp" FLOAT, camera VARCHAR, tool_calls JSON[])[]`;
const eventType = `STRUCT(${fields}, camera VARCHAR, tool_calls JSON[])[]`;

function persistentRow({role = 'assistant', content, style, at}: PersistentRow): string {
	return `{role: ${text(role)}, content: ${text(content)}, style: ${text(style)}, "timestamp": '${at}'::FLOAT, camera: NULL::VARCHAR, tool_calls: NULL::JSON[]}`;
}

function eventRow({role, content, style, camera, toolCalls}: EventRow): string {
	const calls = toolCalls === undefined ? 'NULL' : `[${toolCalls.map(text).join(', ')}]`;
	return `{role: ${text(role)}, content: ${text(content)}, style: ${text(style)}, camera: ${text(camera)}, tool_calls: ${calls}::JSON[]}`;
}

/** Adds the two language columns to a data file of a dataset and declares them, as LeRobot's annotator does. */
export async function annotate(
	folder: string,
	persistent: readonly PersistentRow[],
	events: readonly EventRow[] = [],
	file = dataFile(),
): Promise<void> {
	const ofEpisodes = [...Map.groupBy(persistent, ({episode}) => episode)].map(
		([episode, rows]) =>
			`WHEN episode_index = ${episode} THEN ${rowsOf(rows.map(persistentRow), persistentType)}`,
	);
	const ofFrames = [...Map.groupBy(events, ({episode, frame}) => `${episode} ${frame}`).values()].map(
		rows =>
			`WHEN episode_index = ${rows[0]?.episode} AND frame_index = ${rows[0]?.frame} THEN ${rowsOf(rows.map(eventRow), eventType)}`,
	);
	const cases = (whens: readonly string[], type: string) =>
		whens.length === 0 ? rowsOf([], type) : `CASE ${whens.join(' ')} ELSE ${rowsOf([], type)} END`;
	await rewriteParquet(
		folder,
		file,
		`SELECT *, ${cases(ofEpisodes, persistentType)} AS language_persistent, ${cases(ofFrames, eventType)} AS language_events FROM old`,
	);
	await editInfo(folder, info => {
		const language = {dtype: 'language', shape: [1], names: null};
		info.features = {
			...(info.features as object),
			language_persistent: language,
			language_events: language,
		};
	});
}
