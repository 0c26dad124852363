type ReasonRoom = {readonly room: number; readonly ellipsis: string};

/** One that is long would hide those that come after it. */
const mostLines = 4;

/**
 * The lines of as many reasons as there is room for, and how many more there are.
 *
 * @param reasons the lines of each.
 */
export function reasonLines(
	reasons: readonly (readonly string[])[],
	{room, ellipsis}: ReasonRoom,
): readonly string[] {
	const shown = reasons.map(lines =>
		lines.length > mostLines ? [...lines.slice(0, mostLines), ellipsis] : lines,
	);
	if (shown.flat().length <= room) return shown.flat();
	const fitting: string[] = [];
	let left = shown.length;
	for (const lines of shown) {
		if (fitting.length + lines.length >= room) break;
		fitting.push(...lines);
		left--;
	}
	return room > 0 ? [...fitting, `${ellipsis} and ${left} more`] : [];
}
