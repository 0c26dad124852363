import type {z} from 'zod';

function size(origin: string, bound: number | bigint, inclusive: boolean, side: 'most' | 'least'): string {
	if (!inclusive) return `must be ${side === 'most' ? 'below' : 'above'} ${bound}`;
	if (origin === 'array' || origin === 'set') return `must have at ${side} ${bound} items`;
	if (origin === 'string') return `must have at ${side} ${bound} characters`;
	return `must be at ${side} ${bound}`;
}

/** The bound of a request, in words that go after the field's name: `must be at most 200`. */
export function boundSentence(issue: z.core.$ZodIssue): string {
	switch (issue.code) {
		case 'too_big':
			return size(issue.origin, issue.maximum, issue.inclusive ?? true, 'most');
		case 'too_small':
			return size(issue.origin, issue.minimum, issue.inclusive ?? true, 'least');
		case 'invalid_value':
			return `must be one of ${issue.values.map(value => JSON.stringify(value)).join(', ')}`;
		case 'invalid_type':
			if (issue.expected === 'int') return 'must be a whole number';
			return `must be ${/^[aeiou]/.test(issue.expected) ? 'an' : 'a'} ${issue.expected}`;
		case 'unrecognized_keys':
			return `does not know ${issue.keys.join(', ')}`;
		case 'invalid_format':
			return issue.format === 'guid' || issue.format === 'uuid' ? 'must be a UUID' : issue.message;
		default:
			return issue.message;
	}
}
