/** Tokens of HTML, which the parser writes unchanged. */
import type { StateCore, Token } from 'markdown-it';

/** Returns HTML within text. */
export function inlineHtml(state: StateCore, content: string): Token {
  const token = new state.Token('html_inline', '', 0);
  token.content = content;
  return token;
}

/** Returns HTML between blocks. */
export function blockHtml(state: StateCore, content: string): Token {
  const token = new state.Token('html_block', '', 0);
  token.content = content;
  return token;
}
