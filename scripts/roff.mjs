// Converts the Markdown of the pages in docs/ to roff for man pages.
import MarkdownIt from 'markdown-it';

const markdown = new MarkdownIt('commonmark').enable('table');

/** Escapes text for roff, so that nothing in it is a request and every character is ASCII. */
export function escapeText(text) {
  return (
    text
      .replaceAll('\\', '\\e')
      .replaceAll('-', '\\-')
      // Otherwise formatters print typographic characters, which shells do not accept.
      .replaceAll('^', '\\(ha')
      .replaceAll('~', '\\(ti')
      .replace(/[^\n\x20-\x7e]/gu, (character) => `\\[u${codeOf(character)}]`)
      .replace(/^(?=[.'])/gm, '\\&')
  );
}

function codeOf(character) {
  return character.codePointAt(0).toString(16).toUpperCase().padStart(4, '0');
}

/** Returns text in bold. */
export function bold(text) {
  return `\\fB${escapeText(text)}\\fR`;
}

function inlineText(token) {
  let link = null;
  let text = '';
  for (const child of token.children ?? []) {
    if (child.type === 'code_inline') text += bold(child.content);
    else if (child.type === 'strong_open') text += '\\fB';
    else if (child.type === 'em_open') text += '\\fI';
    else if (child.type === 'strong_close' || child.type === 'em_close') text += '\\fR';
    else if (child.type === 'softbreak' || child.type === 'hardbreak') text += '\n';
    else if (child.type === 'text') text += escapeText(child.content);
    else if (child.type === 'html_inline') text += '\n.br\n';
    else if (child.type === 'link_open') link = child.attrGet('href');
    else if (child.type === 'link_close') {
      if (link !== null && /^https?:/.test(link)) text += ` <${escapeText(link)}>`;
      link = null;
    }
  }
  // roff takes a line that starts with `.` or `'` for a request, even after a line break inside of a paragraph.
  return text.replace(/^(?=['.])(?!\.br$)/gm, '\\&').replace(/^ +/gm, '');
}

/** Returns one paragraph of Markdown without its block. */
export function inlineToRoff(text) {
  return inlineText(markdown.parseInline(text.replaceAll('\\|', '|'), {})[0]);
}

function codeLines(content) {
  return ['.PP', '.RS 4', '.nf', escapeText(content.trimEnd()), '.fi', '.RE'];
}

/** Returns the rows of the table that begins at `tokens[start]`, and the index of its end. */
function readTable(tokens, start) {
  const rows = [];
  let end = start;
  for (; tokens[end].type !== 'table_close'; end += 1) {
    if (tokens[end].type === 'tr_open') rows.push([]);
    else if (tokens[end].type === 'inline') rows.at(-1).push(inlineText(tokens[end]));
  }
  return { head: rows[0] ?? [], rows: rows.slice(1), end };
}

/** Returns a table as a list of terms. Cells after the second column have their heading in front. */
function tableLines({ head, rows }) {
  return rows.flatMap(([term = '', ...cells]) => [
    '.TP',
    term === '' ? '\\&' : term.replaceAll('\n', ' '),
    ...cells.map((cell, at) =>
      cells.length === 1 || (head[at + 1] ?? '') === '' ? cell : `\\fI${head[at + 1]}\\fR: ${cell}\n.br`,
    ),
  ]);
}

/** Converts Markdown blocks to lines of roff. Headings other than `##` become headings of subsections. */
export function toRoff(text) {
  const tokens = markdown.parse(text, {});
  const lines = [];
  const lists = [];
  let isItem = false;
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at];
    if (token.type === 'heading_open') {
      const heading = inlineText(tokens[at + 1]).replaceAll('"', '\\(dq');
      lines.push(token.tag === 'h2' ? `.SH "${heading.toUpperCase()}"` : `.SS "${heading}"`);
      at += 2;
    } else if (token.type === 'paragraph_open') {
      if (!isItem) lines.push('.PP');
      isItem = false;
    } else if (token.type === 'inline') lines.push(inlineText(token));
    else if (token.type === 'fence') lines.push(...codeLines(token.content));
    else if (token.type === 'bullet_list_open') lists.push('\\(bu');
    else if (token.type === 'ordered_list_open') lists.push(1);
    else if (token.type.endsWith('_list_close')) lists.pop();
    else if (token.type === 'list_item_open') {
      const mark = lists.at(-1);
      lines.push(typeof mark === 'number' ? `.IP ${mark}. 4` : `.IP ${mark} 2`);
      if (typeof mark === 'number') lists.splice(-1, 1, mark + 1);
      isItem = true;
    } else if (token.type === 'table_open') {
      const table = readTable(tokens, at);
      lines.push(...tableLines(table));
      at = table.end;
    }
  }
  return lines.join('\n');
}
