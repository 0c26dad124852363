import type {ComponentType, ReactNode} from 'react';
import {useExplorerState} from '../hooks/explorer.tsx';
import {ChannelChooser} from '../panes/channels/channel-chooser.tsx';
import {ColumnChooser} from '../panes/columns/column-chooser.tsx';
import {ExportDialog} from '../panes/export/export-dialog.tsx';
import {NoticeOverDialog} from '../panes/footer/footer-line.tsx';
import {ComposeForm} from '../panes/hand-over/compose-form.tsx';
import {HelpOverlay} from '../panes/help/help-overlay.tsx';
import {LaunchDialog} from '../panes/launch/launch-dialog.tsx';
import {MessagesOverlay} from '../panes/messages/messages-overlay.tsx';
import {OfferDialog} from '../panes/offers/offer-dialog.tsx';
import {OrderChooser} from '../panes/order/order-chooser.tsx';
import {Palette} from '../panes/palette/palette.tsx';
import {PicturesDialog} from '../panes/pictures/pictures-dialog.tsx';
import {PredicateForm} from '../panes/predicates/predicate-form.tsx';
import {ProjectForm} from '../panes/projects/project-form.tsx';
import {QuestionDialog} from '../panes/question/question-dialog.tsx';
import {ViewsDialog} from '../panes/saved-views/views-dialog.tsx';
import {ThinDialog} from '../panes/selection/thin-dialog.tsx';
import {UploadDialog} from '../panes/upload-chooser/upload-dialog.tsx';
import type {Overlay} from '../store/explorer-state.ts';
import type {Offer} from '../store/scene.ts';

type OverlayLook = {readonly width: number; readonly height: number; readonly offer: Offer | undefined};

/** What can lie over a view. */
const overlays: Readonly<Record<Overlay, ComponentType<OverlayLook>>> = {
	help: HelpOverlay,
	columns: ColumnChooser,
	order: OrderChooser,
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
	launch: LaunchDialog,
};

/** What lies over the view just now, whichever it is. */
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
