/** Numbers in [0, 1). */
export type Random = () => number;

/** A file as a bad disk, a bad cable or a killed writer leaves it: some of its bytes are other ones, gone, or twice. */
export function mutate(content: Buffer, random: Random): Buffer {
	const at = () => Math.floor(random() * content.length);
	const some = (most: number) => 1 + Math.floor(random() * most);
	const actions: ReadonlyArray<() => Buffer> = [
		() => flipped(content, random, some(8)),
		() => flipped(content, random, some(content.length / 4)),
		() => filled(content, at(), some(64), random() < 0.5 ? 0x00 : 0xff),
		() => content.subarray(0, at()),
		() => content.subarray(at()),
		() => Buffer.concat([content.subarray(0, at()), content.subarray(at())]),
		() => Buffer.concat([content, content.subarray(at())]),
		() => footerFlipped(content, random),
		() => footerFlipped(content, random),
		() => footerFlipped(content, random),
	];
	return (actions[Math.floor(random() * actions.length)] as () => Buffer)();
}

function flipped(content: Buffer, random: Random, times: number): Buffer {
	const copy = Buffer.from(content);
	for (let time = 0; time < times; time++) {
		const at = Math.floor(random() * copy.length);
		copy[at] = (copy[at] as number) ^ (1 << Math.floor(random() * 8));
	}
	return copy;
}

function filled(content: Buffer, from: number, count: number, value: number): Buffer {
	return Buffer.from(content).fill(value, from, from + count);
}

/** The footer says where everything lies: a wrong number in it leads a reader astray like nothing else. */
function footerFlipped(content: Buffer, random: Random): Buffer {
	const footer = content.readUInt32LE(content.length - 8);
	const from = Math.max(4, content.length - 8 - footer);
	const copy = Buffer.from(content);
	for (let time = 0; time < 3; time++) {
		const at = from + Math.floor(random() * (copy.length - 8 - from));
		copy[at] = Math.floor(random() * 256);
	}
	return copy;
}
