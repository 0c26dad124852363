/** What somebody may want of pictures; `auto` is what the terminal can. */
const choices = ['auto', 'kitty', 'iterm2', 'sixel', 'blocks', 'off'] as const;

export type PictureChoice = (typeof choices)[number];

/** The choice of that name, undefined for a name that none has. */
export function pictureChoice(name: string): PictureChoice | undefined {
	return choices.find(choice => choice === name);
}
