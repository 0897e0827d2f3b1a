/** Warnings as values, and cargo's way to write them down. */

/** A remark below a warning, beside a bar. */
export interface WarningRemark {
  readonly label: 'note' | 'help';
  /** May have several lines. */
  readonly text: string;
}

/** A warning with more than its text. */
export interface AnnotatedWarning {
  /** Text behind `warning: `. */
  readonly title: string;
  /** True for the few whose title cargo sets in bold. */
  readonly isBold?: boolean;
  readonly remarks?: readonly WarningRemark[];
  /** Advice behind a `help: ` of its own; may have several lines. */
  readonly help?: string;
}

/** Text behind `warning: `, which may have several lines; or that and more. */
export type Warning = string | AnnotatedWarning;

/** The parts of a warning that have a style of their own on a terminal. */
export type WarningPart = 'warning' | 'emphasis' | 'gutter' | 'help';

/** A warning as cargo prints it, with `warning: ` in front and no line break at the end. */
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
    lines.push(`  ${paint('gutter', '= ')}${paint('emphasis', kind)}: ${indentMore(text, 10)}`);
  }
  if (help !== undefined) lines.push(`${paint('help', 'help')}: ${indentMore(help, 6)}`);
  return lines.join('\n');
}

/** Puts the lines below the first under its text. */
function indentMore(text: string, width: number): string {
  return text.replaceAll('\n', `\n${' '.repeat(width)}`);
}
