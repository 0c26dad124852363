/**
 * The writers of Ink's frames: our own, cell by cell; Ink, a line at a time where it changed; or Ink, every
 * frame whole. Ink's are for comparing, and for a terminal that misbehaves.
 */
const frameWriters = ['cells', 'incremental', 'ink'] as const;

export type FrameWriter = (typeof frameWriters)[number];

/** The writer of that name, undefined for a name that none has. */
export function frameWriter(name: string): FrameWriter | undefined {
	return frameWriters.find(writer => writer === name);
}

/** The options of Ink's `render` that such a writer needs. */
export function renderingOptions(writer: FrameWriter): {
	readonly debug: boolean;
	readonly incrementalRendering: boolean;
} {
	// With `debug` Ink writes each frame whole, at once and with nothing around it.
	return {debug: writer === 'cells', incrementalRendering: writer === 'incremental'};
}
