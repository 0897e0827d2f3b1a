/** Footnotes of readmes, as on GitHub. GitHub Docs: Basic writing and formatting syntax, Footnotes. */
import type { MarkdownIt, StateBlock, StateCore, StateInline, Token } from 'markdown-it';
import { present } from '../../../core/errors/assert.ts';
import { placeholder } from './readme-signs.ts';
import { blockHtml, inlineHtml } from './readme-tokens.ts';

/** A footnote: the tokens of its text, and the references to it. */
interface Footnote {
  readonly tokens: Token[];
  /** From 1, in the order of the first references; null until `finish` reaches the first one. */
  number: number | null;
  /** How many references `finish` has reached. */
  references: number;
}

/** Matches the start of a footnote: `[^label]: `. */
const DEFINITION = /^\[\^([^\s[\]^]{1,100})\]:[ \t]*/;
/** Matches `[^label]` at `lastIndex`. */
const REFERENCE = /\[\^([^\s[\]^]{1,100})\]/y;
/** Columns by which the further blocks of a footnote are indented. */
const INDENT = 4;

/** Adds footnotes: `[^label]` refers to the block `[^label]: text`. Its further blocks are indented by four columns. */
export function addFootnotes(markdownIt: MarkdownIt): void {
  const footnotes = new Footnotes();
  markdownIt.core.ruler.before('normalize', 'footnote_start', () => footnotes.clear());
  markdownIt.block.ruler.before(
    'reference',
    'footnote',
    (state, line, endLine, silent) => footnotes.define(state, { line, endLine, silent }),
    // The blocks that end before a footnote, even without an empty line.
    { alt: ['paragraph', 'reference', 'blockquote'] },
  );
  markdownIt.inline.ruler.before('link', 'footnote', (state, silent) => footnotes.refer(state, silent));
  markdownIt.core.ruler.push('footnotes', (state) => footnotes.finish(state));
}

/** Lines of a block, and whether the parser only asks if a block starts there. */
interface BlockLines {
  readonly line: number;
  readonly endLine: number;
  readonly silent: boolean;
}

/** The footnotes of the readme that is being parsed. */
class Footnotes {
  /** By label in lower case. */
  readonly #byLabel = new Map<string, Footnote>();
  /** The footnotes with references, in the order of their numbers. */
  readonly #numbered: Footnote[] = [];
  /** Whether the parser is inside of a footnote. */
  #isInside = false;

  /** Must be called before each readme. */
  clear(): void {
    this.#byLabel.clear();
    this.#numbered.length = 0;
    this.#isInside = false;
  }

  /** Parses a footnote at `line`; returns false if there is none. Its tokens stay among the others until `finish`. */
  define(state: StateBlock, { line, endLine, silent }: BlockLines): boolean {
    if (present(state.sCount[line], 'the indentation of a line') - state.blkIndent >= INDENT) return false;
    const start = offset(state.bMarks, line) + offset(state.tShift, line);
    const [mark, label] = DEFINITION.exec(state.src.slice(start, offset(state.eMarks, line))) ?? [];
    if (mark === undefined || label === undefined) return false;
    if (silent) return true;
    // No footnote contains another one.
    if (this.#isInside) return false;
    const key = label.toLowerCase();
    const isFirst = !this.#byLabel.has(key);
    if (isFirst) this.#byLabel.set(key, { tokens: [], number: null, references: 0 });
    state.push('footnote_open', '', 1).info = isFirst ? key : '';
    this.#isInside = true;
    parseContent(state, { line, endLine, textStart: start + mark.length });
    this.#isInside = false;
    state.push('footnote_close', '', -1);
    return true;
  }

  /** Parses a reference; returns false if there is none. It becomes a link in `finish`. */
  refer(state: StateInline, silent: boolean): boolean {
    REFERENCE.lastIndex = state.pos;
    const [text, label] = REFERENCE.exec(state.src) ?? [];
    if (text === undefined || label === undefined) return false;
    if (!this.#byLabel.has(label.toLowerCase())) return false;
    if (!silent) state.push('footnote_reference', '', 0).info = label.toLowerCase();
    state.pos += text.length;
    return true;
  }

  /** Moves all footnotes with references to the end, and gives numbers to them. Removes the others. */
  finish(state: StateCore): void {
    const body = this.#takeContents(state.tokens);
    this.#link(body);
    // References in footnotes append to this list, and the loop visits them too.
    for (const { tokens } of this.#numbered) this.#link(tokens);
    state.tokens = this.#numbered.length === 0 ? body : [...body, ...this.#list(state)];
  }

  /** Returns the tokens outside of footnotes; moves the others to their footnotes. */
  #takeContents(tokens: readonly Token[]): Token[] {
    const body: Token[] = [];
    let target = body;
    for (const token of tokens) {
      // Of footnotes with the same label, only the first one counts. The text of the others is lost.
      if (token.type === 'footnote_open') target = this.#byLabel.get(token.info)?.tokens ?? [];
      else if (token.type === 'footnote_close') target = body;
      else target.push(token);
    }
    return body;
  }

  /** Makes links of the references in `tokens`. */
  #link(tokens: readonly Token[]): void {
    for (const { children } of tokens) {
      for (const token of children ?? []) {
        if (token.type !== 'footnote_reference') continue;
        const footnote = present(this.#byLabel.get(token.info), 'the footnote of a reference');
        // `push` returns the new length, which is the number of the added footnote.
        footnote.number ??= this.#numbered.push(footnote);
        footnote.references += 1;
        const { number, references } = footnote;
        token.type = 'html_inline';
        token.content = `<sup><a id="${referenceId(number, references)}" href="#fn-${number}">${placeholder('footnote')}${number}</a></sup>`;
      }
    }
  }

  /** Returns the list of footnotes, each with links back to its references. */
  #list(state: StateCore): readonly Token[] {
    const items = this.#numbered.flatMap(({ tokens, references }, index) => {
      const number = index + 1;
      const links = Array.from({ length: references }, (_, before) => backLink(number, before + 1)).join('');
      const paragraph = tokens.at(-1)?.type === 'paragraph_close' ? tokens.at(-2) : undefined;
      if (paragraph?.children) paragraph.children.push(inlineHtml(state, links));
      else tokens.push(blockHtml(state, `<p>${links}</p>\n`));
      return [blockHtml(state, `<li id="fn-${number}">\n`), ...tokens, blockHtml(state, '</li>\n')];
    });
    return [
      blockHtml(state, '<div class="footnotes">\n<h2>Footnotes</h2>\n<ol>\n'),
      ...items,
      blockHtml(state, '</ol>\n</div>\n'),
    ];
  }
}

/**
 * Parses the blocks of a footnote, the first of which starts at `textStart` in `line`. Meanwhile, that line begins
 * there for the parser, which keeps for each line its offset, its indentation in characters and in columns.
 */
function parseContent(
  state: StateBlock,
  {
    line,
    endLine,
    textStart,
  }: { readonly line: number; readonly endLine: number; readonly textStart: number },
): void {
  const { bMarks, tShift, sCount } = state;
  const before = [offset(bMarks, line), offset(tShift, line), offset(sCount, line)] as const;
  state.blkIndent += INDENT;
  bMarks[line] = textStart;
  tShift[line] = 0;
  sCount[line] = state.blkIndent;
  state.md.block.tokenize(state, line, endLine);
  [bMarks[line], tShift[line], sCount[line]] = before;
  state.blkIndent -= INDENT;
}

function offset(offsets: readonly number[], line: number): number {
  return present(offsets[line], 'the offset of a line');
}

function referenceId(number: number, reference: number): string {
  return reference === 1 ? `fnref-${number}` : `fnref-${number}-${reference}`;
}

/** Returns a link to a reference. */
function backLink(number: number, reference: number): string {
  const which = reference === 1 ? '' : `<sup>${reference}</sup>`;
  return ` <a class="back" href="#${referenceId(number, reference)}">${placeholder('back')}${which}</a>`;
}
