import {expect, test} from 'vitest';
import {readCapabilities} from '../../source/terminal/capabilities.ts';

test.each([
	[{TERM: 'xterm-256color'}, '256'],
	[{TERM: 'xterm-256color', COLORTERM: 'truecolor'}, 'truecolor'],
	[{TERM: 'xterm-kitty'}, 'truecolor'],
	[{TERM: 'xterm'}, '16'],
	[{TERM: 'linux'}, '16'],
	[{TERM: 'xterm-256color', NO_COLOR: '1'}, 'none'],
	[{TERM: 'xterm-256color', NO_COLOR: ''}, '256'],
	[{TERM: 'xterm-256color', FORCE_COLOR: '0'}, 'none'],
	[{TERM: 'dumb', COLORTERM: 'truecolor'}, 'none'],
	[{}, 'none'],
])('%j has %s colours', (env, colors) => {
	expect(readCapabilities(env).colors).toBe(colors);
});

test.each([
	[{TERM: 'xterm', LANG: 'en_US.UTF-8'}, true],
	[{TERM: 'xterm', LANG: 'C.utf8'}, true],
	[{TERM: 'xterm', LANG: 'en_US.UTF-8', LC_ALL: 'C'}, false],
	[{TERM: 'xterm', LANG: 'C', LC_CTYPE: 'de_DE.UTF-8'}, true],
	[{TERM: 'xterm', LANG: 'de_DE.ISO-8859-1'}, false],
	[{TERM: 'xterm'}, false],
	[{TERM: 'linux', LANG: 'en_US.UTF-8'}, false],
])('%j draws unicode: %s', (env, unicode) => {
	expect(readCapabilities(env).unicode).toBe(unicode);
});

test('the environment tells a far keyboard, a multiplexer and a terminal that cannot be addressed', () => {
	expect(readCapabilities({TERM: 'xterm', SSH_CONNECTION: '1.2.3.4 5 6.7.8.9 22'}).isRemote).toBe(true);
	expect(readCapabilities({TERM: 'xterm'}).isRemote).toBe(false);
	expect(readCapabilities({TERM: 'tmux-256color'}).multiplexer).toBe('tmux');
	expect(readCapabilities({TERM: 'screen', STY: '1.pts'}).multiplexer).toBe('screen');
	expect(readCapabilities({TERM: 'screen', TMUX: '/tmp/tmux-0/default,1,0'}).multiplexer).toBe('tmux');
	expect(readCapabilities({TERM: 'dumb'}).isScreen).toBe(false);
});

test.each([
	[{TERM: 'xterm-kitty'}, true],
	[{TERM: 'xterm-256color', VTE_VERSION: '7600'}, true],
	[{TERM: 'xterm-256color', VTE_VERSION: '4600'}, false],
	[{TERM: 'xterm-256color', TERM_PROGRAM: 'iTerm.app'}, true],
	[{TERM: 'tmux-256color', TMUX: 'x', TERM_PROGRAM: 'tmux', TERM_PROGRAM_VERSION: '3.4'}, true],
	[{TERM: 'tmux-256color', TMUX: 'x', TERM_PROGRAM: 'tmux', TERM_PROGRAM_VERSION: '3.3a'}, false],
	[{TERM: 'xterm-256color'}, false],
])('%j takes links: %s', (env, links) => {
	expect(readCapabilities(env).links).toBe(links);
});

test.each([
	[{TERM: 'xterm-kitty'}, 'known'],
	[{TERM: 'xterm-256color', WT_SESSION: 'a'}, 'known'],
	[{TERM: 'xterm-256color'}, 'unknown'],
	[{TERM: 'xterm-256color', SSH_TTY: '/dev/pts/1'}, 'unknown'],
	[{TERM: 'xterm-256color', VTE_VERSION: '7600'}, 'none'],
	[{TERM: 'xterm-kitty', TMUX: '/tmp/tmux-0/default,1,0'}, 'tmux'],
	[{TERM: 'tmux-256color', SSH_TTY: '/dev/pts/1'}, 'unknown'],
	[{TERM: 'linux'}, 'none'],
	[{TERM: 'dumb', TMUX: 'x'}, 'none'],
])('%j takes copies: %s', (env, clipboard) => {
	expect(readCapabilities(env).clipboard).toBe(clipboard);
});
