/** The tables that commands on a private registry print. */
import { sanitizeForTerminal } from '../../core/errors/sanitize-for-terminal.ts';

/** Returns a line with `columns` between tabs. Users of the registry wrote some: no text can add a column or a line. */
export function tableRow(columns: readonly (string | number)[]): string {
  const cells = columns.map((text) => sanitizeForTerminal(String(text).replaceAll('\t', ' '), 'join'));
  return `${cells.join('\t')}\n`;
}
