/** Shows code as HTML. */
import { hasHiddenCharacters, HIDDEN_CHARACTERS } from '../../source/hidden-characters.ts';
import { html, type Html, type HtmlValue } from '../shared/html.ts';

/** Returns code in which hidden characters are replaced with their numbers, such as `U+202E`. */
export function codeText(text: string): HtmlValue {
  if (!hasHiddenCharacters(text)) return text;
  const hidden = text.match(HIDDEN_CHARACTERS) ?? [];
  return text.split(HIDDEN_CHARACTERS).map((part, position) => {
    // No character follows the last part.
    const code = hidden[position]?.codePointAt(0);
    return [part, code !== undefined && html`<span class="hidden-character">${nameOf(code)}</span>`];
  });
}

function nameOf(code: number): string {
  return `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
}

/** Returns the lines of a text without their ends. */
export function linesOf(text: string): readonly string[] {
  const lines = text.split(/\r?\n/);
  // The end of the last line begins no further line.
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}

/** Returns lines of code, each with its number as a link to itself. Keep it in step with `SOURCE_SCRIPT`. */
export function numberedLines(lines: readonly HtmlValue[]): Html {
  return html`${lines.map(
    (line, index) =>
      html`<span class="row" id="L${index + 1}"><a href="#L${index + 1}" aria-label="Line ${index + 1}">${index + 1}</a>${line}
</span>`,
  )}`;
}
