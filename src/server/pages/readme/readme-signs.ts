/**
 * Signs in readmes: HTML that the sanitizer would remove, such as icons and check boxes. The parser writes placeholders,
 * which become signs after sanitizing. The text of a readme may contain placeholders too: signs are harmless.
 */
import { html, trustedHtml, type Html } from '../shared/html.ts';
import { icon } from '../shared/icons.ts';

/** A sign on the pages, and without their stylesheet. */
interface Sign {
  readonly onPages: Html;
  readonly asText: string;
}

const SIGNS = {
  'done-task': {
    onPages: html`<input type="checkbox" checked disabled aria-label="Completed task">`,
    asText: '☑ ',
  },
  'open-task': {
    onPages: html`<input type="checkbox" disabled aria-label="Incomplete task">`,
    asText: '☐ ',
  },
  note: { onPages: icon('note'), asText: '' },
  tip: { onPages: icon('tip'), asText: '' },
  important: { onPages: icon('important'), asText: '' },
  warning: { onPages: icon('warning'), asText: '' },
  caution: { onPages: icon('caution'), asText: '' },
  heading: {
    onPages: html`<span aria-hidden="true">#</span><span class="silent">Link to this section</span>`,
    asText: '#',
  },
  footnote: { onPages: html`<span class="silent">Footnote </span>`, asText: '' },
  back: {
    onPages: html`<span aria-hidden="true">↩</span><span class="silent">Back to the text</span>`,
    asText: '↩',
  },
} as const satisfies Readonly<Record<string, Sign>>;

/** The name of a sign. */
export type SignName = keyof typeof SIGNS;

/** Maximum signs in a readme. A text may have very many placeholders, and signs are longer. */
const MAX_SIGNS = 5000;
const PREFIX = 'sign-';
const PLACEHOLDER = new RegExp(`<span class="${PREFIX}([a-z-]+)"></span>`, 'g');
const BY_NAME: ReadonlyMap<string, Sign> = new Map(Object.entries(SIGNS));

/** The classes of placeholders, which the sanitizer must keep. */
export const PLACEHOLDER_CLASSES: readonly string[] = [...BY_NAME.keys()].map((name) => PREFIX + name);

/** Returns the placeholder of a sign. */
export function placeholder(name: SignName): string {
  return `<span class="${PREFIX}${name}"></span>`;
}

/** Returns a rendered readme with its signs, for the pages. */
export function withSigns(rendered: Html): Html {
  return replacePlaceholders(rendered, ({ onPages }) => onPages.text);
}

/** Returns a rendered readme with signs that need no stylesheet, for the web API. */
export function withTextSigns(rendered: Html): Html {
  return replacePlaceholders(rendered, ({ asText }) => asText);
}

/** Placeholders are exact only in sanitized HTML, which escapes all text and all values of attributes. */
function replacePlaceholders({ text }: Html, textOf: (sign: Sign) => string): Html {
  let count = 0;
  return trustedHtml(
    text.replace(PLACEHOLDER, (span, name: string) => {
      const sign = BY_NAME.get(name);
      if (sign === undefined || count >= MAX_SIGNS) return span;
      count += 1;
      return textOf(sign);
    }),
  );
}
