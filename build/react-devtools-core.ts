/** Stands in for `react-devtools-core` in the bundle: Ink loads it only when DEV=true, which a release never sets. */
export default {
	initialize: (): void => {},
	connectToDevTools: (): void => {},
};
