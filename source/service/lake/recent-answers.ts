/** How many questions are remembered: a few explorers, each with its filter and its pages. */
const remembered = 8;

/**
 * The answers to the last few questions, for as long as nothing is written. Explorers ask the same again and again, side
 * by side too; while a lake rests, and while one of them waits, the engine is asked once.
 */
export class RecentAnswers<Answer> {
	/** By the question's JSON; the one asked longest ago comes first. */
	readonly #answers = new Map<string, Promise<Answer>>();

	/** The answer to a question: a remembered one, one on its way, or a new one by `ask`, of which a failure is forgotten. */
	async to(question: object, ask: () => Promise<Answer>): Promise<Answer> {
		const key = JSON.stringify(question);
		const known = this.#answers.get(key);
		const answer = known ?? ask();
		this.#answers.delete(key);
		this.#answers.set(key, answer);
		const [oldest] = this.#answers.keys();
		if (this.#answers.size > remembered && oldest !== undefined) this.#answers.delete(oldest);
		try {
			return await answer;
		} catch (error) {
			if (this.#answers.get(key) === answer) this.#answers.delete(key);
			throw error;
		}
	}

	/** To be called once something was written, or may have been. */
	forget(): void {
		this.#answers.clear();
	}
}
