import {createContext, type ReactNode, useCallback, useContext} from 'react';
import type {Copy} from '../terminal/clipboard.ts';
import {useExplorer} from './explorer.tsx';

const CopyContext = createContext<Copy | undefined>(undefined);

/** Gives the tree the terminal's clipboard. */
export function ClipboardProvider({copy, children}: {copy: Copy; children: ReactNode}): ReactNode {
	return <CopyContext value={copy}>{children}</CopyContext>;
}

/** Copies a text and tells by a notice what was copied, by the name of `what`, or why not. */
export function useCopy(): (text: string, what: string) => void {
	const explorer = useExplorer();
	const copy = useContext(CopyContext);
	if (copy === undefined) throw new Error('useCopy needs a ClipboardProvider above it');
	return useCallback(
		(text, what) => {
			copy(text, what).then(
				report => explorer.notify(report.kind, report.text),
				(error: unknown) => explorer.notify('error', `${what} was not copied: ${String(error)}`),
			);
		},
		[explorer, copy],
	);
}
