import {
	ContractError,
	NetworkError,
	OutcomeUnknownError,
	RefusedError,
	RequestError,
	ServiceError,
} from '../client/errors.ts';
import {KeyFileError} from '../files/key.ts';
import {printable} from '../terminal/printable.ts';
import {UsageError} from './usage-error.ts';

/** DESIGN §7: what a command's end says to scripts. */
export const exitCodes = {fine: 0, failed: 1, usage: 2, unreachable: 3, refused: 4, contract: 5} as const;

/** The exit code that an error stands for. */
export function exitCodeOf(error: unknown): number {
	if (error instanceof UsageError || error instanceof RequestError) return exitCodes.usage;
	if (error instanceof NetworkError) return exitCodes.unreachable;
	if (error instanceof RefusedError || error instanceof KeyFileError) return exitCodes.refused;
	if (error instanceof ContractError) return exitCodes.contract;
	if (error instanceof OutcomeUnknownError) return exitCodeOf(error.cause);
	return exitCodes.failed;
}

/** What an error says to people, fit for a terminal, each line by itself. */
export function sentenceOf(error: unknown): string {
	const message = error instanceof Error ? error.message : String(error);
	return message
		.split('\n')
		.map(line => printable(line))
		.join('\n');
}

/**
 * What somebody is told who asked for something that the service refused: its own sentences where it gives such, else
 * what it answered to which call.
 */
export function refusalOf(error: unknown): string {
	if (!(error instanceof ServiceError)) return sentenceOf(error);
	const said = error.detail ?? error.issues?.map(({msg}) => msg).join(' ');
	return said && /[.!?]$/.test(said) ? said : sentenceOf(error);
}
