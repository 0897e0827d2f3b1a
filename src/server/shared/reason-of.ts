import { TsregError } from '../../core/errors/error.ts';
import { errorChain } from './error-chain.ts';

/** Returns the text of an error for the log: its message, those of its causes, and their hints. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const messages: string[] = [];
  const hints = new Set<string>();
  for (const link of errorChain(error)) {
    messages.push(link.message);
    if (link instanceof TsregError && link.hint !== null) hints.add(link.hint);
  }
  return [messages.join(': '), ...hints].join('; ');
}
