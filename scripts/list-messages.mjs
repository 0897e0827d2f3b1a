// Lists the texts in src that a person may read: errors, warnings, hints, notes, status lines, help, pages and logs.
// `node scripts/list-messages.mjs [FOLDER…]` prints one line for each, `file:line text`, for folders below src.
import { realpathSync } from 'node:fs';
import path from 'node:path';
import { parseSync } from 'oxc-parser';
import { readSources } from './check-layers.mjs';

const PROSE = /\p{L}{2,}[,;:`']* [`'"(]?\p{L}{2,}/u;
const SQL = /^\s*(?:ALTER|BEGIN|CREATE|DELETE|DROP|INSERT|PRAGMA|SELECT|UPDATE|VALUES|WITH) /;

/**
 * Returns the text of a literal or of literals joined by `+`, with `{…}` for computed parts; null for any other node.
 */
function textOf(node, source) {
  switch (node.type) {
    case 'Literal':
      return typeof node.value === 'string' ? node.value : null;
    case 'TemplateLiteral':
      return node.quasis
        .map(({ value }, at) => {
          const inserted = node.expressions[at];
          return inserted === undefined
            ? value.cooked
            : `${value.cooked}{${source.slice(inserted.start, inserted.end)}}`;
        })
        .join('');
    case 'BinaryExpression': {
      if (node.operator !== '+') return null;
      const sides = [node.left, node.right].map((side) => textOf(side, source));
      if (sides.every((side) => side === null)) return null;
      return sides.map((side) => side ?? '{…}').join('');
    }
    default:
      return null;
  }
}

/** Returns the argument with cargo's words in `new Wording(tsreg's, cargo's)`, or null for any other node. */
function cargosWords(node) {
  return node.type === 'NewExpression' && node.callee.name === 'Wording' ? node.arguments[1] : null;
}

/**
 * Yields every text of a source file with the offset where it starts. A node that is part (`isPart`) of a longer text
 * is not listed by itself; texts inside of its `${…}` are.
 */
function* textsOf(node, source, { isCargos = false, isPart = false } = {}) {
  if (node.type.startsWith('Import')) return;
  const text = textOf(node, source);
  if (text !== null && !isPart) yield { text, start: node.start, isCargos };
  const cargos = cargosWords(node);
  const isJoined = text !== null && node.type === 'BinaryExpression';
  for (const child of Object.values(node)) {
    for (const each of Array.isArray(child) ? child : [child]) {
      if (typeof each?.type !== 'string') continue;
      const options = {
        isCargos: isCargos || each === cargos,
        isPart: isJoined && textOf(each, source) !== null,
      };
      yield* textsOf(each, source, options);
    }
  }
}

/**
 * Returns the messages in source files: `file`, `line`, `text`, and `isCargos`, which is true if only compatibility
 * mode shows it. `files` maps paths relative to src to their texts.
 */
export function listMessages(files) {
  return [...files].flatMap(([file, source]) => {
    const { program } = parseSync(file, source);
    return [...textsOf(program, source)]
      .filter(({ text }) => PROSE.test(text) && !SQL.test(text))
      .map(({ text, start, isCargos }) => ({
        ...{ file, text, isCargos },
        line: source.slice(0, start).split('\n').length,
      }));
  });
}

if (realpathSync(process.argv[1] ?? '.') === import.meta.filename) {
  const folders = process.argv.slice(2);
  for (const { file, line, text } of listMessages(readSources(path.dirname(import.meta.dirname)))) {
    const isListed = folders.length === 0 || folders.some((folder) => file.startsWith(`${folder}/`));
    if (isListed) console.log(`${file}:${line} ${text.trim().replaceAll('\n', '⏎')}`);
  }
}
