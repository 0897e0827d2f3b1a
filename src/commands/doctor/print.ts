/** The text output of `doctor`. */
import { sanitizeForTerminal } from '../../core/errors/sanitize-for-terminal.ts';
import { type StyleName, styled } from '../../io/terminal/style.ts';
import { type Check, type CheckName, type CheckStatus, count } from './check.ts';

/** The heading above each check. The order of `CheckName` keeps checks with the same heading together. */
const HEADINGS: Readonly<Record<CheckName, string>> = {
  tsreg: 'Programs',
  git: 'Programs',
  locks: 'Programs',
  cargo: 'Programs',
  rustc: 'Programs',
  home: 'Folders',
  packages: 'Folders',
  cache: 'Folders',
  config: 'Configuration',
  credentials: 'Configuration',
  proxy: 'Network',
  certificates: 'Network',
  registry: 'Registries',
  workspace: 'Workspace',
  lockfile: 'Workspace',
};

const MARKS: Readonly<Record<CheckStatus, { unicode: string; ascii: string; style: StyleName }>> = {
  ok: { unicode: '✓', ascii: '+', style: 'header' },
  info: { unicode: '-', ascii: '-', style: 'dimmed' },
  warning: { unicode: '!', ascii: '!', style: 'warning' },
  error: { unicode: '✗', ascii: 'x', style: 'error' },
};

/** Options of the text. */
export interface DoctorTextOptions {
  /** True to show only warnings and errors. */
  readonly isQuiet: boolean;
  /** True if the output may have characters that are not ASCII. */
  readonly usesUnicode: boolean;
  /** Columns of the terminal; null to not break lines. */
  readonly width: number | null;
}

/** Returns the text with styles: the checks under their headings. Empty if there is nothing to show. */
export function doctorText(checks: readonly Check[], options: DoctorTextOptions): string {
  const shown = checks.filter(({ status }) => !options.isQuiet || isProblem(status));
  const lines: string[] = [];
  let heading = '';
  for (const each of shown) {
    if (HEADINGS[each.name] !== heading) {
      heading = HEADINGS[each.name];
      lines.push(styled('emphasis', heading));
    }
    lines.push(...linesOf(each, options));
  }
  return lines.map((line) => `${line}\n`).join('');
}

/** Returns the last line: the number of errors and warnings. */
export function summaryText(checks: readonly Check[]): string {
  const errors = checks.filter(({ status }) => status === 'error').length;
  const warnings = checks.filter(({ status }) => status === 'warning').length;
  const parts = [
    errors === 0 ? 'no problems' : count(errors, 'problem'),
    ...(warnings === 0 ? [] : [count(warnings, 'warning')]),
  ];
  return parts.join(', ');
}

function isProblem(status: CheckStatus): boolean {
  return status === 'error' || status === 'warning';
}

function linesOf(
  { status, text, help }: Check,
  { usesUnicode, width }: DoctorTextOptions,
): readonly string[] {
  const { unicode, ascii, style } = MARKS[status];
  const columns = width === null ? null : width - TEXT_INDENT.length;
  const [first = '', ...rest] = wrap(text, columns);
  const helpLines = help === null ? [] : wrap(`help: ${help}`, columns);
  // Colored after wrapping, because escape sequences have no width.
  const coloredHelp = helpLines.map((line) => line.replace(/^help:/, styled('help', 'help:')));
  return [
    `  ${styled(style, usesUnicode ? unicode : ascii)} ${first}`,
    ...[...rest, ...coloredHelp].map((line) => `${TEXT_INDENT}${line}`),
  ];
}

/** The space in front of texts, under the first letter after the mark. */
const TEXT_INDENT = '    ';

/** Returns the lines of a text, broken at spaces if they have more than `columns` characters. */
function wrap(text: string, columns: number | null): readonly string[] {
  const lines = sanitizeForTerminal(text).trimEnd().split('\n');
  return columns === null ? lines : lines.flatMap((line) => wrapLine(line, columns));
}

function wrapLine(line: string, columns: number): readonly string[] {
  if (line.length <= columns) return [line];
  const end = line.lastIndexOf(' ', columns);
  // A word that does not fit stays whole, so that it can be copied.
  const position = end > 0 ? end : line.indexOf(' ', columns);
  return position === -1 ? [line] : [line.slice(0, position), ...wrapLine(line.slice(position + 1), columns)];
}
