import {createContext, type ReactNode, useContext, useEffect, useState} from 'react';
import type {PictureWay} from '../terminal/pictures/picture-protocol.ts';
import type {ImageRenderer} from '../terminal/pictures/picture-renderer.ts';

/** The way pictures are shown here, and their renderer. */
type ShownPictures = {readonly way: PictureWay; readonly board: ImageRenderer};

const PicturesContext = createContext<(() => Promise<ImageRenderer>) | undefined>(undefined);

/** Gives the tree the terminal's pictures. */
export function PicturesProvider({
	open,
	children,
}: {
	open: () => Promise<ImageRenderer>;
	children: ReactNode;
}): ReactNode {
	return <PicturesContext value={open}>{children}</PicturesContext>;
}

/**
 * The way pictures are shown, once the terminal has answered or its time is over.
 *
 * @param isWanted the terminal is not queried before.
 */
export function useShownPictures(isWanted = true): ShownPictures | undefined {
	const open = useContext(PicturesContext);
	const [shown, setShown] = useState<ShownPictures>();
	useEffect(() => {
		if (open === undefined) throw new Error('useShownPictures needs a PicturesProvider above it');
		if (!isWanted) return undefined;
		let isOver = false;
		void open().then(async board => {
			const way = await board.way();
			if (!isOver) setShown({way, board});
		});
		return () => {
			isOver = true;
		};
	}, [open, isWanted]);
	return shown;
}
