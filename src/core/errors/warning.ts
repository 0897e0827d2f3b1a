/** Warnings, and their format in cargo. */

/** A remark below a warning, next to a bar. */
export interface WarningRemark {
  readonly label: 'note' | 'help';
  /** May have several lines. */
  readonly text: string;
}

/** A warning with more than a title. */
export interface AnnotatedWarning {
  /** The text after `warning: `. */
  readonly title: string;
  /** True if cargo prints the title in bold. */
  readonly isBold?: boolean;
  readonly remarks?: readonly WarningRemark[];
  /** The text after a separate `help: `; may have several lines. */
  readonly help?: string;
}

/** The text after `warning: `, which may have several lines; or that and more. */
export type Warning = string | AnnotatedWarning;

/** The widths of `  = note: ` and `help: `, below which further lines are aligned. */
const REMARK_WIDTH = 10;
const HELP_WIDTH = 6;

/** The parts of a warning with a separate style on a terminal. */
export type WarningPart = 'warning' | 'emphasis' | 'gutter' | 'help';

/**
 * Returns a warning as cargo prints it, starting with `warning: ` and without final line break. `paint` returns a part
 * with its style; by default, no part has one.
 */
export function formatWarning(
  warning: Warning,
  paint: (part: WarningPart, text: string) => string = (_, text) => text,
): string {
  const label = paint('warning', 'warning');
  if (typeof warning === 'string') return `${label}: ${warning}`;
  const { title, isBold = false, remarks = [], help } = warning;
  const lines = [label + (isBold ? paint('emphasis', `: ${title}`) : `: ${title}`)];
  if (remarks.length > 0) lines.push(`  ${paint('gutter', '|')}`);
  for (const { label: kind, text } of remarks) {
    lines.push(`  ${paint('gutter', '= ')}${paint('emphasis', kind)}: ${indentMore(text, REMARK_WIDTH)}`);
  }
  if (help !== undefined) lines.push(`${paint('help', 'help')}: ${indentMore(help, HELP_WIDTH)}`);
  return lines.join('\n');
}

/** Aligns further lines with the text of the first. */
function indentMore(text: string, width: number): string {
  return text.replaceAll('\n', `\n${' '.repeat(width)}`);
}
