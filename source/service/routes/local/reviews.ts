import {localTriageEndpoints} from '../../../contract/local-triage-endpoints.ts';
import {visibleJson} from '../../../contract/visible-json.ts';
import {noteOutcome} from '../../http/asked.ts';
import {type Route, route} from '../../http/route.ts';
import type {ReviewDesk} from '../../reviews/review-desk.ts';
import type {ReviewStore} from '../../reviews/review-store.ts';

/** Datasets that the log of who did what names. */
const mostNamed = 5;

/** `/local/v1/reviews`: what people decided about episodes. */
export function reviewRoutes(reviews: {desk: ReviewDesk; store: ReviewStore}): readonly Route[] {
	const {setReviews, listReviews} = localTriageEndpoints;
	return [
		route(setReviews, async ({body}, asked) => {
			const result = await reviews.desk.set(body);
			const names = [...new Set(result.reviews.map(({dataset_name}) => dataset_name))];
			const where = visibleJson(JSON.stringify(names.slice(0, mostNamed)));
			noteOutcome(asked, `${body.review_state} ${result.reviews.length} episodes of ${where}`);
			return result;
		}),
		route(listReviews, ({query}) => reviews.store.list(query.dataset)),
	];
}
