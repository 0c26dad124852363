import {localTriageEndpoints} from '../../../contract/local-triage-endpoints.ts';
import {type Route, route} from '../../http/route.ts';
import type {ReviewDesk} from '../../reviews/review-desk.ts';
import type {ReviewStore} from '../../reviews/review-store.ts';

/** `/local/v1/reviews`: what people decided about episodes. */
export function reviewRoutes(reviews: {desk: ReviewDesk; store: ReviewStore}): readonly Route[] {
	const {setReviews, listReviews} = localTriageEndpoints;
	return [
		route(setReviews, ({body}) => reviews.desk.set(body)),
		route(listReviews, ({query}) => reviews.store.list(query.dataset)),
	];
}
