/** The abilities of the terminal, as far as the environment tells. */
export type Capabilities = {
	/** How many colours may be used; `none` leaves bold, dim and inverse. */
	readonly colors: 'none' | '16' | '256' | 'truecolor';
	/** True if anything beyond ASCII may be drawn. */
	readonly unicode: boolean;
	/** True if the screen can be addressed at all (`TERM=dumb` cannot). */
	readonly isScreen: boolean;
	/** It can be asked: a terminal that cannot is left alone, as it might show the question. */
	readonly answers: boolean;
	/** The screen is read aloud (`INK_SCREEN_READER=true`, as Ink reads it). */
	readonly isSpoken: boolean;
	/** As the environment tells; the terminal is asked where it does not. */
	readonly background: 'light' | 'dark' | undefined;
	/** The keyboard is on the far side of a network. */
	readonly isRemote: boolean;
	/** Inside tmux or screen, which take some sequences only wrapped. */
	readonly multiplexer: 'none' | 'tmux' | 'screen';
	/** Links (OSC 8) are known to be understood. */
	readonly links: boolean;
	/**
	 * How sure a copy to the clipboard (OSC 52) is: known to work, known not to, through the tmux that this runs in, or only
	 * to be tried.
	 */
	readonly clipboard: 'known' | 'tmux' | 'unknown' | 'none';
};

export type Environment = Readonly<Record<string, string | undefined>>;

/** Reads the environment; nothing is asked of the terminal. */
export function readCapabilities(env: Environment): Capabilities {
	const term = env.TERM ?? '';
	const multiplexer = multiplexerOf(env, term);
	const isScreen = term !== 'dumb' && term !== '';
	return {
		colors: isScreen ? colorsOf(env, term) : 'none',
		unicode: isUnicode(env, term),
		isScreen,
		answers: isScreen && term !== 'linux' && !/^vt\d/.test(term),
		isSpoken: env.INK_SCREEN_READER === 'true',
		background: shadeOfPalette(env.COLORFGBG),
		isRemote: Boolean(env.SSH_TTY || env.SSH_CONNECTION || env.SSH_CLIENT || env.MOSH_IP),
		multiplexer,
		links: isScreen && hasLinks(env, term, multiplexer),
		clipboard: isScreen ? clipboardOf(env, term, multiplexer) : 'none',
	};
}

function multiplexerOf(env: Environment, term: string): Capabilities['multiplexer'] {
	if (env.TMUX || term.startsWith('tmux')) return 'tmux';
	if (env.STY || term.startsWith('screen')) return 'screen';
	return 'none';
}

const fullColorTerms = /^(?:xterm-kitty|xterm-ghostty|alacritty|foot|wezterm|contour|rio)/;

/** NO_COLOR: any value that is not empty (https://no-color.org); FORCE_COLOR as Node reads it. */
function colorsOf(env: Environment, term: string): Capabilities['colors'] {
	if (env.NO_COLOR) return 'none';
	const forced = env.FORCE_COLOR;
	if (forced === '0' || forced === 'false') return 'none';
	if (forced === '3') return 'truecolor';
	if (forced === '2') return '256';
	if (/^(?:truecolor|24bit)$/.test(env.COLORTERM ?? '') || /-direct$/.test(term)) return 'truecolor';
	if (fullColorTerms.test(term)) return 'truecolor';
	if (/256/.test(term)) return '256';
	return '16';
}

/** The first of these that is set decides the character set (POSIX, "Internationalization Variables"). */
function isUnicode(env: Environment, term: string): boolean {
	// The Linux console has a font of 512 glyphs and no sparkline among them.
	if (term === 'linux' || term === 'dumb') return false;
	const locale = env.LC_ALL || env.LC_CTYPE || env.LANG || '';
	return /utf-?8/i.test(locale);
}

function hasLinks(env: Environment, term: string, multiplexer: Capabilities['multiplexer']): boolean {
	// tmux passes links on since 3.4, screen never.
	if (multiplexer === 'screen') return false;
	if (multiplexer === 'tmux') {
		const [major = 0, minor = 0] = (env.TERM_PROGRAM_VERSION ?? '').split('.').map(Number.parseFloat);
		return env.TERM_PROGRAM === 'tmux' && (major > 3 || (major === 3 && minor >= 4));
	}
	if (fullColorTerms.test(term)) return true;
	if (/^(?:iTerm\.app|WezTerm|vscode|ghostty|Hyper)$/.test(env.TERM_PROGRAM ?? '')) return true;
	if (env.WT_SESSION || env.KONSOLE_VERSION) return true;
	return Number(env.VTE_VERSION ?? 0) >= 5000;
}

/** rxvt and Konsole give the numbers of two colours, `15;0`, at times with another between them. */
function shadeOfPalette(colours: string | undefined): Capabilities['background'] {
	const background = /^\d+;(?:\w+;)?(\d+)$/.exec(colours ?? '')?.[1];
	if (background === undefined) return undefined;
	return Number(background) === 7 || Number(background) > 8 ? 'light' : 'dark';
}

function clipboardOf(
	env: Environment,
	term: string,
	multiplexer: Capabilities['multiplexer'],
): Capabilities['clipboard'] {
	if (env.TMUX) return 'tmux';
	if (multiplexer !== 'none') return 'unknown';
	if (fullColorTerms.test(term)) return 'known';
	// Consoles have no clipboard; VTE and Terminal.app have one and keep it to themselves.
	if (term === 'linux' || /^vt\d/.test(term)) return 'none';
	if (env.VTE_VERSION || env.TERM_PROGRAM === 'Apple_Terminal') return 'none';
	const isKnown = /^(?:WezTerm|vscode|ghostty)$/.test(env.TERM_PROGRAM ?? '') || Boolean(env.WT_SESSION);
	return isKnown ? 'known' : 'unknown';
}
