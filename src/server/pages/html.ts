/** HTML that is made of templates: whatever is put into one is escaped, unless it is HTML already. */

/** Text that is HTML. `html` makes it, and `trustedHtml` for text that was made safe elsewhere. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  toString(): string {
    return this.text;
  }
}

/** What may stand in a template: text and numbers are escaped, lists are joined, nothing stands for itself. */
export type HtmlValue = Html | string | number | false | null | undefined | readonly HtmlValue[];

/**
 * A template of HTML. Values may stand in content and in attribute values within double quotes; nowhere
 * else is escaping enough: not in the names of tags and attributes, nor within `style` and `script`.
 */
export function html(strings: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  let text = strings[0] ?? '';
  for (const [i, value] of values.entries()) text += render(value) + (strings[i + 1] ?? '');
  return new Html(text);
}

/** Text that is safe HTML already, as the sanitiser returns it. Never for text that came from outside. */
export function trustedHtml(text: string): Html {
  return new Html(text);
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text as content of an element or value of a quoted attribute. NUL, which HTML has no form for, is U+FFFD. */
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
