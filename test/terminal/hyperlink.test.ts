import {expect, test} from 'vitest';
import {hyperlink, webTarget} from '../../source/terminal/hyperlink.ts';

test.each([
	['https://example.com/a?b=c#d', 'https://example.com/a?b=c#d'],
	['HTTP://Example.com', 'http://example.com/'],
	['https://example.com/ä b', 'https://example.com/%C3%A4%20b'],
	['https://example.com/\u001b]0;renamed\u0007x', 'https://example.com/%1B]0;renamed%07x'],
	['javascript:alert(1)', undefined],
	['file:///etc/passwd', undefined],
	['https://user:secret@example.com', undefined],
	['https://', undefined],
	[`https://example.com/${'x'.repeat(3000)}`, undefined],
	[' https://example.com', undefined],
])('%s leads to %s', (address, target) => {
	expect(webTarget(address)).toBe(target);
});

test('a link is ended behind its text', () => {
	expect(hyperlink('here', 'https://example.com/')).toBe(
		'\u001b]8;;https://example.com/\u001b\\here\u001b]8;;\u001b\\',
	);
});
