import type { MarkdownIt, StateCore, Token } from 'markdown-it';
import { present } from '../../../core/errors/assert.ts';
import { inlineHtml } from './readme-tokens.ts';
import { placeholder } from './readme-signs.ts';

/** Adds an ID to each heading, and a link to it. */
export function addHeadingLinks(markdownIt: MarkdownIt): void {
  markdownIt.core.ruler.push('heading_links', linkHeadings);
}

function linkHeadings(state: StateCore): void {
  /** How many headings have each name so far. */
  const counts = new Map<string, number>();
  for (const [position, token] of state.tokens.entries()) {
    if (token.type !== 'heading_open') continue;
    const { children } = present(state.tokens[position + 1], 'the text of a heading');
    const parts = present(children, 'the parsed text of a heading');
    const name = headingName(parts);
    if (name === '') continue;
    const before = counts.get(name) ?? 0;
    counts.set(name, before + 1);
    const id = before === 0 ? name : `${name}-${before}`;
    token.attrSet('id', id);
    const link = `<a class="anchor" href="#${encodeURIComponent(id)}">${placeholder('heading')}</a>`;
    parts.push(inlineHtml(state, ` ${link}`));
  }
}

/**
 * Returns the ID that GitHub gives to a heading with these parts, because links within readmes use it; empty for a
 * heading without letters. GitHub Docs: Basic writing and formatting syntax, Section links.
 */
function headingName(parts: readonly Token[]): string {
  return parts
    .map(({ type, content }) => (type === 'text' || type === 'code_inline' ? content : ''))
    .join('')
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M} _-]/gu, '')
    .replaceAll(' ', '-');
}
