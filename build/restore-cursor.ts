/**
 * Stands in for `restore-cursor` in the bundle: Ink's log hides the cursor through it, and it shows the cursor again at
 * exit by writing to stderr, a file or a pipe too. The terminal's session shows it, on the terminal alone.
 */
export default function restoreCursor(): void {}
