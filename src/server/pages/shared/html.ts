/** HTML templates, which escape every value that is not HTML. */

/** HTML text, made by `html`, or by `trustedHtml` if it is safe already. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  toString(): string {
    return this.text;
  }
}

/** A value in a template. Text is escaped, lists are joined, and null, undefined and false add nothing. */
export type HtmlValue = Html | string | number | false | null | undefined | readonly HtmlValue[];

/**
 * Returns HTML from a template. Values may be in content and in attribute values within double quotes. Elsewhere,
 * escaping is not enough: in names of tags and attributes, and within `style` and `script`.
 */
export function html(strings: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  let text = '';
  // No value follows the last string.
  for (const [position, string] of strings.entries()) text += string + render(values[position]);
  return new Html(text);
}

/** Returns text that is already safe as HTML, for example from the sanitizer. Must not be used for untrusted text. */
export function trustedHtml(text: string): Html {
  return new Html(text);
}

/** Returns parts with `separator` between them. */
export function joined(parts: readonly HtmlValue[], separator: HtmlValue): HtmlValue {
  return parts.map((part, position) => [position > 0 && separator, part]);
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes text for content and quoted attribute values. Replaces NUL, which HTML cannot express, with U+FFFD. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"'\0]/g, (character) => ESCAPES[character] ?? '\uFFFD');
}

function render(value: HtmlValue): string {
  if (value === null || value === undefined || value === false) return '';
  if (value instanceof Html) return value.text;
  if (typeof value === 'string') return escapeHtml(value);
  if (typeof value === 'number') return String(value);
  return value.map(render).join('');
}
