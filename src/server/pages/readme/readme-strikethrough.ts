/** Struck out text of readmes, as on GitHub: between one or two tildes. GitHub Flavored Markdown, section 6.5. */
import type { MarkdownIt, StateInline } from 'markdown-it';
import { present } from '../../../core/errors/assert.ts';

/**
 * The markers of delimiters for runs of one and two tildes. The parser matches delimiters with equal markers, so a run
 * matches only one of the same length. A marker is usually the code of its character; no character has a negative one.
 */
const MARKERS = [0x7e, -0x7e];

/** Replaces the rules of the parser, which need two tildes. */
export function addStrikethrough({ inline }: MarkdownIt): void {
  inline.ruler.at('strikethrough', markTildes);
  inline.ruler2.at('strikethrough', strikeOut);
}

/** Parses a run of tildes into text that `strikeOut` changes if there is a run to match. */
function markTildes(state: StateInline, silent: boolean): boolean {
  if (silent || state.src[state.pos] !== '~') return false;
  const { length, can_open: open, can_close: close } = state.scanDelims(state.pos, true);
  state.push('text', '', 0).content = '~'.repeat(length);
  const marker = MARKERS[length - 1];
  if (marker !== undefined)
    // A length of 0 exempts it from the rule for runs of `*`.
    state.delimiters.push({ marker, length: 0, token: state.tokens.length - 1, end: -1, open, close });
  state.pos += length;
  return true;
}

/** Makes elements of the runs that match. Returns false, as the rules of `ruler2` do. */
function strikeOut(state: StateInline): boolean {
  for (const { delimiters } of [state, ...state.tokens_meta.filter((meta) => meta !== null)]) {
    for (const { marker, token, end } of delimiters ?? []) {
      if (!MARKERS.includes(marker) || end === -1) continue;
      setTag(state, { position: token, nesting: 1 });
      setTag(state, { position: present(delimiters[end], 'the end of a run').token, nesting: -1 });
    }
  }
  return false;
}

function setTag(
  state: StateInline,
  { position, nesting }: { readonly position: number; readonly nesting: 1 | -1 },
): void {
  const token = present(state.tokens[position], 'a run of tildes');
  token.type = nesting === 1 ? 's_open' : 's_close';
  token.tag = 's';
  token.nesting = nesting;
  token.markup = token.content;
  token.content = '';
}
