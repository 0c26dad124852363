/** How a cell looks: SGR parameters as they were given, and the link it belongs to. */
type Style = {
	/** Parameter that switches it on, by the one that switches it off; no two with the same number for one thing. */
	readonly on: ReadonlyMap<Slot, string>;
	/** Parameters and address of an OSC 8 link, `''` for none. */
	readonly link: string;
};

/** The attributes that SGR sets independently of each other. Bold and dim share the parameter that ends them. */
type Slot =
	| 'bold'
	| 'dim'
	| 'italic'
	| 'underline'
	| 'blink'
	| 'inverse'
	| 'hidden'
	| 'strike'
	| 'foreground'
	| 'background'
	| 'overline'
	| 'underlineColour';

/** The look of a terminal that was told nothing. */
export const plain = 0;

const slots: Readonly<Record<string, Slot>> = {
	1: 'bold',
	2: 'dim',
	3: 'italic',
	4: 'underline',
	5: 'blink',
	6: 'blink',
	7: 'inverse',
	8: 'hidden',
	9: 'strike',
	21: 'underline',
	38: 'foreground',
	48: 'background',
	53: 'overline',
	58: 'underlineColour',
};

const ends: Readonly<Record<Slot, string>> = {
	bold: '22',
	dim: '22',
	italic: '23',
	underline: '24',
	blink: '25',
	inverse: '27',
	hidden: '28',
	strike: '29',
	foreground: '39',
	background: '49',
	overline: '55',
	underlineColour: '59',
};

const endedBy = new Map<string, readonly Slot[]>();
for (const [slot, end] of Object.entries(ends) as [Slot, string][])
	endedBy.set(end, [...(endedBy.get(end) ?? []), slot]);

function slotOf(parameter: string): Slot | undefined {
	const number = Number.parseInt(parameter, 10);
	if ((number >= 30 && number <= 37) || (number >= 90 && number <= 97)) return 'foreground';
	if ((number >= 40 && number <= 47) || (number >= 100 && number <= 107)) return 'background';
	return slots[number];
}

/** Splits `1;38;5;9` into `1` and `38;5;9`. */
function parametersOf(text: string): readonly string[] {
	const parts = text.split(';');
	const parameters: string[] = [];
	for (let at = 0; at < parts.length; ) {
		const isColour = /^[345]8$/.test(parts[at] ?? '');
		const length = isColour ? (parts[at + 1] === '5' ? 3 : parts[at + 1] === '2' ? 5 : 1) : 1;
		parameters.push(parts.slice(at, at + length).join(';'));
		at += length;
	}
	return parameters;
}

/** Beyond this many, what was seen is forgotten: only links and pictures make so many. */
const mostStyles = 20_000;

/** Looks as numbers, and the shortest way from one to another. */
export class Styles {
	readonly #styles: Style[] = [];
	readonly #numbers = new Map<string, number>();
	readonly #steps = new Map<string, number>();
	readonly #ways = new Map<number, string>();

	constructor() {
		this.clear();
	}

	/** Too many were seen: `clear` before the next frame, which must then be drawn from nothing. */
	get isFull(): boolean {
		return this.#styles.length > mostStyles;
	}

	clear(): void {
		this.#styles.length = 0;
		for (const known of [this.#numbers, this.#steps, this.#ways]) known.clear();
		this.#number({on: new Map(), link: ''});
	}

	/** The look after an SGR sequence with these parameters. */
	after(style: number, parameters: string): number {
		const step = `${style} ${parameters}`;
		const known = this.#steps.get(step);
		if (known !== undefined) return known;
		const {on, link} = this.#style(style);
		const next = new Map(on);
		for (const parameter of parametersOf(parameters)) {
			if (parameter === '' || Number(parameter) === 0) next.clear();
			else {
				const slot = parameter === '4:0' ? undefined : slotOf(parameter);
				if (slot !== undefined) next.set(slot, parameter);
				else
					for (const ended of endedBy.get(parameter === '4:0' ? '24' : parameter) ?? []) next.delete(ended);
			}
		}
		const number = this.#number({on: next, link});
		this.#steps.set(step, number);
		return number;
	}

	/** The look within a link; `''` for none. @param link what stands between `OSC 8 ;` and the end, if not only `;`. */
	linked(style: number, link: string): number {
		return this.#number({on: this.#style(style).on, link: link === ';' ? '' : link});
	}

	/** True if an area erased in this look has no colour of its own. */
	erasesPlainly(style: number): boolean {
		return !this.#style(style).on.has('background');
	}

	/** The shortest bytes that change the terminal's look from one to another. */
	way(from: number, to: number): string {
		if (from === to) return '';
		const key = from * 0x10000 + to;
		let way = this.#ways.get(key);
		if (way === undefined) {
			way = shortestWay(this.#style(from), this.#style(to));
			this.#ways.set(key, way);
		}
		return way;
	}

	#style(number: number): Style {
		const style = this.#styles[number];
		if (style === undefined) throw new RangeError(`no style has the number ${number}`);
		return style;
	}

	#number(style: Style): number {
		const key = [...style.on].sort().join(' ') + style.link;
		const known = this.#numbers.get(key);
		if (known !== undefined) return known;
		this.#styles.push(style);
		this.#numbers.set(key, this.#styles.length - 1);
		return this.#styles.length - 1;
	}
}

function shortestWay(from: Style, to: Style): string {
	const link = from.link === to.link ? '' : `\u001b]8;${to.link || ';'}\u001b\\`;
	const all = [...to.on.values()];
	const anew = `\u001b[${all.length === 0 ? '' : ['0', ...all].join(';')}m`;
	const off = new Set<string>();
	for (const slot of from.on.keys()) if (!to.on.has(slot)) off.add(ends[slot]);
	const on = [...to.on]
		.filter(([slot, parameter]) => from.on.get(slot) !== parameter || off.has(ends[slot]))
		.map(([, parameter]) => parameter);
	if (off.size === 0 && on.length === 0) return link;
	const change = `\u001b[${[...off, ...on].join(';')}m`;
	return (change.length < anew.length ? change : anew) + link;
}
