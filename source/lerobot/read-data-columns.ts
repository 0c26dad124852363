import {type DuckDBType, DuckDBTypeId} from '@duckdb/node-api';
import {type NumericFeature, type StreamName, usualNames} from './features.ts';
import type {ReadDatabase} from './read-database.ts';
import type {ColumnShape} from './read-feature-column.ts';
import {quotedIdentifier} from './sql.ts';

/** A feature to be read from a data file. */
export type WantedFeature = {readonly feature: NumericFeature; readonly stream: StreamName};

type FoundColumn = {readonly expression: string; readonly shape: ColumnShape};

/** The wanted columns as a data file has them. */
export type DataColumns = {
	/** One entry a wanted feature; undefined where the file has none, or none of numbers. */
	readonly features: readonly (FoundColumn | undefined)[];
	/** Expressions of the columns that every dataset has; undefined where the file lacks one. */
	readonly bookkeeping: Readonly<Record<BookkeepingColumn, string | undefined>>;
	/** Columns that are missing or of another type, as sentences. */
	readonly complaints: readonly string[];
};

export const bookkeepingColumns = [
	'episode_index',
	'frame_index',
	'index',
	'task_index',
	'subtask_index',
	'timestamp',
] as const;
export type BookkeepingColumn = (typeof bookkeepingColumns)[number];

/**
 * Looks up the wanted columns in a file's schema.
 *
 * @throws DuckDB's error where the schema cannot be read.
 */
export async function findDataColumns(
	database: ReadDatabase,
	file: string,
	wanted: readonly WantedFeature[],
	expected: readonly BookkeepingColumn[],
): Promise<DataColumns> {
	const types = await database.columnsOf(file);
	const complaints: string[] = [];
	const declared = new Set(wanted.map(({feature}) => feature.key));
	const features = wanted.map(({feature, stream}) => {
		const aliases = usualNames[stream].filter(name => !declared.has(name) && types.has(name));
		const name = types.has(feature.key) ? feature.key : aliases[0];
		const type = name === undefined ? undefined : types.get(name);
		if (name === undefined || type === undefined) {
			complaints.push(`has no column "${feature.key}"`);
			return undefined;
		}
		if (name !== feature.key) complaints.push(`spells "${feature.key}" as "${name}"; it was read as that`);
		const column = numericColumn(name, type, feature.dims);
		if (!column) complaints.push(`holds ${type} in column "${name}", not numbers`);
		return column;
	});
	const bookkeeping = Object.fromEntries(
		bookkeepingColumns.map(name => {
			const type = types.get(name);
			if (type === undefined && expected.includes(name)) complaints.push(`has no column "${name}"`);
			return [name, type && bookkeepingExpression(name, type)];
		}),
	) as DataColumns['bookkeeping'];
	return {features, bookkeeping, complaints};
}

function bookkeepingExpression(name: BookkeepingColumn, type: DuckDBType): string {
	const quoted = quotedIdentifier(name);
	const wanted = name === 'timestamp' ? DuckDBTypeId.DOUBLE : DuckDBTypeId.BIGINT;
	return type.typeId === wanted ? quoted : `TRY_CAST(${quoted} AS ${DuckDBTypeId[wanted]})`;
}

const numbers = new Set<DuckDBTypeId>([
	DuckDBTypeId.BOOLEAN,
	DuckDBTypeId.TINYINT,
	DuckDBTypeId.SMALLINT,
	DuckDBTypeId.INTEGER,
	DuckDBTypeId.BIGINT,
	DuckDBTypeId.HUGEINT,
	DuckDBTypeId.UTINYINT,
	DuckDBTypeId.USMALLINT,
	DuckDBTypeId.UINTEGER,
	DuckDBTypeId.UBIGINT,
	DuckDBTypeId.DECIMAL,
	DuckDBTypeId.FLOAT,
	DuckDBTypeId.DOUBLE,
]);

/** Whole numbers and truth values become doubles; floats are taken as they are. */
function numericColumn(name: string, type: DuckDBType, dims: number): FoundColumn | undefined {
	const flat = flattened(name, type);
	if (!numbers.has(flat.element.typeId)) return undefined;
	let {expression} = flat;
	const {isList} = flat;
	const isFloat = flat.element.typeId === DuckDBTypeId.FLOAT;
	if (!isFloat && flat.element.typeId !== DuckDBTypeId.DOUBLE) {
		expression = `CAST(${expression} AS DOUBLE${isList ? '[]' : ''})`;
	}
	// A scalar where a vector is expected: read as a list of one, it is reported as misshapen in every frame.
	if (!isList && dims > 1) return {expression: `[${expression}]`, shape: {dims, isList: true, isFloat}};
	return {expression, shape: {dims, isList, isFloat}};
}

/** A column as a scalar or as one list, whatever lists of lists it holds, and the type of its values. */
export function flattened(
	name: string,
	type: DuckDBType,
): {readonly expression: string; readonly isList: boolean; readonly element: DuckDBType} {
	let expression = quotedIdentifier(name);
	let depth = 0;
	let element = type;
	for (let inner = elementType(element); inner; inner = elementType(element)) {
		if (depth++ > 0) expression = `flatten(${expression})`;
		element = inner;
	}
	return {expression, isList: depth > 0, element};
}

function elementType(type: DuckDBType): DuckDBType | undefined {
	return 'valueType' in type && type.typeId === DuckDBTypeId.LIST
		? (type.valueType as DuckDBType)
		: undefined;
}
