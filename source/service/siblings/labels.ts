/** A typo makes a rare text of a common one: at most so many episodes, or this share of the common one's. */
const fewest = 2;
const rareShare = 0.2;

/** Letters that a typo may change. */
const mostEdits = 2;

/** Texts shorter than this differ by two letters on purpose. */
const shortest = 8;

/**
 * Tasks whose text is another's with a typo in it.
 *
 * @param counts episodes of each task
 * @returns the text that is meant, by the text that is there
 */
export function mistypedTasks(counts: ReadonlyMap<string, number>): Map<string, string> {
	const words = new Map<string, number>();
	for (const [task, count] of counts)
		for (const word of wordsOf(task)) words.set(word, (words.get(word) ?? 0) + count);
	const common = [...counts].sort(([, a], [, b]) => b - a).slice(0, 200);
	const meant = new Map<string, string>();
	for (const [task, count] of counts) {
		for (const [other, others] of common) {
			if (other === task || count >= others || count > Math.max(fewest, rareShare * others) || others < 3)
				continue;
			if (!isTypoOf(task, other, words)) continue;
			meant.set(task, other);
			break;
		}
	}
	return meant;
}

/** A digit, and a word that other tasks have too, is meant: "cup 1" and "cup 2", "left" and "right". */
function isTypoOf(task: string, other: string, words: ReadonlyMap<string, number>): boolean {
	const [plain, meant] = [normalized(task), normalized(other)];
	if (plain === meant) return true;
	if (meant.length < shortest || Math.abs(plain.length - meant.length) > mostEdits) return false;
	if (digitsOf(plain) !== digitsOf(meant)) return false;
	if (editDistance(plain, meant) > mostEdits) return false;
	const known = new Set(wordsOf(other));
	const own = wordsOf(task).filter(word => !known.has(word));
	const counts = Math.min(...own.map(word => words.get(word) ?? 0));
	const replaced = wordsOf(other).filter(word => !wordsOf(task).includes(word));
	const usual = Math.max(...replaced.map(word => words.get(word) ?? 0), 0);
	return own.length === 0 || counts <= Math.max(fewest, rareShare * usual);
}

const normalized = (text: string) =>
	text
		.normalize('NFKC')
		.toLowerCase()
		.replace(/[\s\p{P}]+/gu, ' ')
		.trim();
const wordsOf = (text: string) => normalized(text).split(' ').filter(Boolean);
const digitsOf = (text: string) => text.replace(/\D+/g, ' ').trim();

/** Letters to change, to add, to leave out, or to exchange with their neighbour. */
export function editDistance(one: string, two: string): number {
	const rows: number[][] = [Array.from({length: two.length + 1}, (_, at) => at)];
	for (let a = 1; a <= one.length; a++) {
		const row = [a];
		for (let b = 1; b <= two.length; b++) {
			const same = one[a - 1] === two[b - 1];
			let least = Math.min(
				(rows[a - 1]?.[b] ?? 0) + 1,
				(row[b - 1] ?? 0) + 1,
				(rows[a - 1]?.[b - 1] ?? 0) + (same ? 0 : 1),
			);
			if (a > 1 && b > 1 && one[a - 1] === two[b - 2] && one[a - 2] === two[b - 1])
				least = Math.min(least, (rows[a - 2]?.[b - 2] ?? 0) + 1);
			row.push(least);
		}
		rows.push(row);
	}
	return rows.at(-1)?.at(-1) ?? 0;
}
