import type {ComponentType, ReactNode} from 'react';
import {useExplorerState} from '../hooks/explorer.tsx';
import {OfferDialog} from '../panes/activity/offer-dialog.tsx';
import {ProjectForm} from '../panes/artifacts/project-form.tsx';
import {ColumnChooser} from '../panes/episodes/column-chooser.tsx';
import {SortChooser} from '../panes/episodes/sort-chooser.tsx';
import {ComposeForm} from '../panes/export/compose-form.tsx';
import {ExportDialog} from '../panes/export/export-dialog.tsx';
import {PredicateForm} from '../panes/filter/predicate-form.tsx';
import {FinetuneDialog} from '../panes/finetune/finetune-dialog.tsx';
import {NoticeOverDialog} from '../panes/frame/footer-line.tsx';
import {HelpOverlay} from '../panes/frame/help-overlay.tsx';
import {MessagesOverlay} from '../panes/frame/messages-overlay.tsx';
import {Palette} from '../panes/frame/palette.tsx';
import {QuestionDialog} from '../panes/list/question-dialog.tsx';
import {PicturesDialog} from '../panes/pictures/pictures-dialog.tsx';
import {ViewsDialog} from '../panes/saved-views/views-dialog.tsx';
import {ThinDialog} from '../panes/selection/thin-dialog.tsx';
import {ChannelChooser} from '../panes/series/channel-chooser.tsx';
import {UploadDialog} from '../panes/uploads/upload-dialog.tsx';
import type {Offer} from '../store/explorer-session.ts';
import type {Overlay} from '../store/state/user-state.ts';

type OverlayLook = {readonly width: number; readonly height: number; readonly offer: Offer | undefined};

/** The dialogs that can lie over a view. */
const overlays: Readonly<Record<Overlay, ComponentType<OverlayLook>>> = {
	help: HelpOverlay,
	columns: ColumnChooser,
	order: SortChooser,
	thin: ThinDialog,
	compose: ComposeForm,
	channels: ChannelChooser,
	pictures: PicturesDialog,
	predicates: PredicateForm,
	export: ExportDialog,
	views: ViewsDialog,
	offer: OfferDialog,
	question: QuestionDialog,
	project: ProjectForm,
	palette: Palette,
	messages: MessagesOverlay,
	upload: UploadDialog,
	launch: FinetuneDialog,
};

/** The dialog over the view, if one is open, and the notice over it. */
export function Overlays(look: OverlayLook): ReactNode {
	const overlay = useExplorerState(state => state.overlay);
	if (overlay === undefined) return null;
	const Shown = overlays[overlay];
	return (
		<>
			<Shown {...look} />
			<NoticeOverDialog {...look} />
		</>
	);
}
