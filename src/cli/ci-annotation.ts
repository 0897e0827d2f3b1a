/** Error annotations for CI systems. GitHub Actions: Workflow commands, Setting an error message. */
import type { Environment } from '../io/config/environment.ts';
import { TsregError } from '../core/errors/error.ts';
import { sanitizeForTerminal } from '../core/errors/sanitize-for-terminal.ts';

/** Returns the GitHub Actions command that annotates an error, with `title` in bold; null outside GitHub Actions. */
export function errorAnnotation(error: unknown, title: string, env: Environment): string | null {
  if (env['GITHUB_ACTIONS'] !== 'true') return null;
  const messages: string[] = [];
  for (let cause = error; cause instanceof TsregError; cause = cause.cause) messages.push(cause.message);
  const text = messages.length === 0 ? String(error) : messages.join('\n');
  return `::error title=${escapeProperty(title)}::${escapeData(text)}\n`;
}

function escapeData(text: string): string {
  return sanitizeForTerminal(text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A'));
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
