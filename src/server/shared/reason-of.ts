import { TsregError } from '../../core/errors/error.ts';

/** Returns the text of an error for the log: its message, those of its causes, and their hints. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const messages: string[] = [];
  const hints = new Set<string>();
  for (let each: unknown = error; each instanceof Error; each = each.cause) {
    messages.push(each.message);
    if (each instanceof TsregError && each.hint !== null) hints.add(each.hint);
  }
  return [messages.join(': '), ...hints].join('; ');
}
