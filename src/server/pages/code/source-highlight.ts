/** Highlights code: untrusted text. */
import { html, type HtmlValue } from '../shared/html.ts';
import type { Language } from './highlight-js.mjs';
import { codeText, linesOf } from './source-text.ts';

/** Code to highlight. */
export interface CodeTask {
  readonly code: string;
  readonly language: Language;
}

/** Loads highlight.js. The function returns the lines of the code. */
export async function loadHighlighter(): Promise<(task: CodeTask) => readonly HtmlValue[]> {
  const { highlight } = await import('./highlight-js.mjs');
  return ({ code, language }) => highlightedLines(highlight(linesOf(code).join('\n'), language));
}

/** A part of the code. */
interface Token {
  readonly text: string;
  /** The end of the name of a class in `styles/source.ts`; null for no style. */
  readonly style: string | null;
}

/** Styles by the class that highlight.js uses. Others have no style. */
const STYLES: ReadonlyMap<string, string> = new Map(
  (
    [
      ['keyword', 'keyword literal name selector-tag operator'],
      ['type', 'type built_in class'],
      ['title', 'title section'],
      ['string', 'string regexp link char code'],
      ['number', 'number symbol bullet'],
      ['comment', 'comment quote doctag'],
      ['meta', 'meta attr attribute variable property template-variable'],
      ['added', 'addition'],
      ['removed', 'deletion'],
      ['strong', 'strong'],
      ['emphasis', 'emphasis'],
    ] as const
  ).flatMap(([style, names]) => names.split(' ').map((name) => [name, style] as const)),
);

/** Returns the lines of the HTML of highlight.js, of which nothing is used but texts and known classes. */
function highlightedLines(markup: string): readonly HtmlValue[] {
  const lines: HtmlValue[][] = [[]];
  for (const { text, style } of tokensOf(markup)) {
    for (const [position, part] of text.split('\n').entries()) {
      if (position > 0) lines.push([]);
      const shown = codeText(part);
      if (part !== '')
        lines.at(-1)?.push(style === null ? shown : html`<span class="hl-${style}">${shown}</span>`);
    }
  }
  return lines;
}

/** Yields the texts between the tags, each with the style of the innermost element around it that has one. */
function* tokensOf(markup: string): Generator<Token, void, undefined> {
  const open: (string | null)[] = [];
  for (const [part, names] of markup.matchAll(/<span class="([^"]*)">|<\/span>|[^<]+|</g)) {
    if (names !== undefined) open.push(styleOf(names) ?? open.at(-1) ?? null);
    else if (part === '</span>') open.pop();
    else yield { text: unescape(part), style: open.at(-1) ?? null };
  }
}

/**
 * Returns the style for the classes of an element, such as `hljs-title class_`; null for none. The second one counts
 * more.
 */
function styleOf(names: string): string | null {
  const [first = '', second = ''] = names.replace('hljs-', '').split(' ');
  return STYLES.get(second.replace(/_+$/, '')) ?? STYLES.get(first) ?? null;
}

/** The characters that highlight.js escapes. */
const CHARACTERS: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#x27;': "'",
};

function unescape(text: string): string {
  return text.replace(/&(?:amp|lt|gt|quot|#x27);/g, (entity) => CHARACTERS[entity] ?? entity);
}
