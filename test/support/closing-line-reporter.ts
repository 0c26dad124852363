import type {Reporter, TestModule} from 'vitest/node';

/** Ends a run with `N passed, N failed` alone on a line (`, N skipped` behind it where any were), for scripts. */
export default class ClosingLineReporter implements Reporter {
	onTestRunEnd(modules: readonly TestModule[]): void {
		const count = {passed: 0, failed: 0, skipped: 0};
		for (const module of modules) {
			// A file that fails outside its tests (an import, a hook) must not vanish from the count.
			if (module.state() === 'failed' && module.errors().length > 0) count.failed++;
			for (const test of module.children.allTests()) {
				const {state} = test.result();
				if (state !== 'pending') count[state]++;
			}
		}
		const skipped = count.skipped > 0 ? `, ${count.skipped} skipped` : '';
		process.stdout.write(`\n${count.passed} passed, ${count.failed} failed${skipped}\n`);
	}
}
