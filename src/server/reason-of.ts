import { TsregError } from '../errors/error.ts';

/** What a log says of an error: its message and those of its causes, and what to do about it. */
export function reasonOf(error: unknown): string {
  const messages: string[] = [];
  const hints: string[] = [];
  for (let each = error; each !== undefined; each = each instanceof Error ? each.cause : undefined) {
    messages.push(each instanceof Error ? each.message : String(each));
    if (each instanceof TsregError && each.hint !== null) hints.push(each.hint);
  }
  return [messages.join(': '), ...new Set(hints)].join('; ');
}
