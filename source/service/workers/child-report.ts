import * as z from 'zod';
import {ingestProblem, ingestProgress} from '../../contract/local.ts';

/** The reports of an ingest child: one JSON object a line on its stdout. */
export const childReport = z.lazy(() =>
	z.discriminatedUnion('type', [
		ingestProgress.extend({type: z.literal('progress')}),
		ingestProblem.extend({type: z.literal('problem')}),
		z.looseObject({type: z.literal('done'), episode_count: z.int(), total_frames: z.int()}),
		z.looseObject({type: z.literal('failed'), message: z.string()}),
	]),
);
export type ChildReport = z.output<typeof childReport>;

/** The longest line that is usually read; longer ones are dropped, as a child that is out of order may write anything. */
const maxLine = 64 * 1024;

/** Cuts a stream of text into lines and hands each over that can be read as `schema` says. */
export function lineReader<Schema extends z.ZodType>(
	schema: Schema,
	onReport: (report: z.output<Schema>) => void,
	longest = maxLine,
): (chunk: string) => void {
	let text = '';
	return chunk => {
		text += chunk;
		for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n')) {
			const line = text.slice(0, end);
			text = text.slice(end + 1);
			if (line.length > longest) continue;
			const read = schema.safeParse(parse(line));
			if (read.success) onReport(read.data);
		}
		if (text.length > longest) text = text.slice(0, longest + 1);
	};
}

function parse(line: string): unknown {
	try {
		return JSON.parse(line);
	} catch {
		return undefined;
	}
}
