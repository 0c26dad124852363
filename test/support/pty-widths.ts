import type {Terminal} from '@xterm/headless';
import {textWidth} from '../../source/terminal/width.ts';

/**
 * The terminal's own tables are Unicode 6: an emoji takes one cell there, and nothing joins. Terminals of
 * today join graphemes and give an emoji two cells, as the program counts; so that a screen in a test is
 * what they show, the test's terminal takes its widths from the program's own measure.
 */
export function giveOurWidths(terminal: Terminal): void {
	const graphemes = new Intl.Segmenter('en', {granularity: 'grapheme'});
	// The terminal keeps one number about what came before; it stands for the grapheme so far.
	const clusters: string[] = [''];
	const numbers = new Map<string, number>();

	function numberOf(cluster: string): number {
		const known = numbers.get(cluster);
		if (known !== undefined) return known;
		clusters.push(cluster);
		numbers.set(cluster, clusters.length - 1);
		return clusters.length - 1;
	}

	/** xterm.js packs what it must know of a character: our number, its cells, whether it joins. */
	function pack(cluster: string, cells: number, joins: boolean): number {
		return (numberOf(cluster) << 3) | (Math.min(cells, 2) << 1) | (joins ? 1 : 0);
	}

	terminal.unicode.register({
		version: 'ours',
		wcwidth: code => Math.min(textWidth(String.fromCodePoint(code)), 2) as 0 | 1 | 2,
		charProperties(code, preceding) {
			const character = String.fromCodePoint(code);
			const before = clusters[preceding >> 3] ?? '';
			const cluster = before + character;
			const isJoined =
				before !== '' && graphemes.segment(cluster).containing(0)?.segment.length === cluster.length;
			if (!isJoined) return pack(character, textWidth(character), false);
			const cells = textWidth(cluster);
			if (cells <= 2) return pack(cluster, cells, true);
			// Wider than a terminal's widest glyph: the rest takes cells of its own.
			return pack(cluster, cells - textWidth(before), false);
		},
	});
	terminal.unicode.activeVersion = 'ours';
}
