import type { MarkdownIt, StateCore, Token } from 'markdown-it';
import { present } from '../../../core/errors/assert.ts';
import { placeholder } from './readme-signs.ts';
import { blockHtml } from './readme-tokens.ts';

/** The kinds of alerts, with their titles. */
const TITLES = {
  note: 'Note',
  tip: 'Tip',
  important: 'Important',
  warning: 'Warning',
  caution: 'Caution',
} as const;

type AlertKind = keyof typeof TITLES;

/**
 * Adds the alerts of GitHub: quotes whose first line is `[!NOTE]`, or another kind. GitHub Docs: Basic writing and
 * formatting syntax, Alerts.
 */
export function addAlerts(markdownIt: MarkdownIt): void {
  // Before the rule that parses text, where the first line may be a link.
  markdownIt.core.ruler.after('block', 'alerts', markAlerts);
}

function markAlerts(state: StateCore): void {
  const result: Token[] = [];
  /** The quotes that are open. */
  const quotes: Token[] = [];
  for (const [position, token] of state.tokens.entries()) {
    result.push(token);
    if (token.type === 'blockquote_open') {
      quotes.push(token);
      // A paragraph has three tokens: its start, its text and its end.
      const kind = takeKind(state.tokens.slice(position + 1, position + 4));
      if (kind === null) continue;
      token.tag = 'div';
      token.attrSet('class', `alert alert-${kind}`);
      result.push(blockHtml(state, `<p class="alert-title">${placeholder(kind)}${TITLES[kind]}</p>\n`));
    } else if (token.type === 'blockquote_close') {
      token.tag = present(quotes.pop(), 'the start of a quote').tag;
    }
  }
  state.tokens = result;
}

/** Removes the kind of an alert from the first paragraph of a quote, and returns it; null for other quotes. */
function takeKind([start, text, end]: readonly Token[]): AlertKind | null {
  if (start?.type !== 'paragraph_open' || text === undefined || end === undefined) return null;
  const [line, word = ''] = /^\[!([a-z]+)\][ \t]*(?:\n|$)/i.exec(text.content) ?? [];
  const kind = word.toLowerCase();
  if (line === undefined || !isKind(kind)) return null;
  text.content = text.content.slice(line.length);
  // A hidden paragraph has only its text.
  if (text.content === '') start.hidden = end.hidden = true;
  return kind;
}

function isKind(word: string): word is AlertKind {
  return Object.hasOwn(TITLES, word);
}
