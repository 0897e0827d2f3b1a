/** Edits of TOML text that keep its comments and layout. */
import { present } from '../errors/assert.ts';
import { TsregError } from '../errors/error.ts';
import { parseTomlWithSpans, type SpannedToml } from './parse.ts';
import type { Span } from './spans.ts';
import { TomlSyntaxError } from './syntax-error.ts';
import type { TomlTable, TomlValue } from './value.ts';
import { writeTomlKey, writeTomlString } from './write-string.ts';

/** A key below a table, as the names from the root: `['registry', 'default']`. */
export type TomlPath = readonly [table: string, ...names: string[]];

/**
 * Returns `text` with the string `value` at `path`. Replaces only an existing value; otherwise adds a line to the
 * table, or a new table at the end. Throws `TomlSyntaxError` if `text` is invalid, and `config` if the key cannot be
 * added without other changes, such as in an inline table.
 */
export function setTomlString(
  text: string,
  { path, value }: { readonly path: TomlPath; readonly value: string },
): string {
  const document = parseTomlWithSpans(text);
  const edited = withString(text, { document, path, value });
  return checkedEdit(edited, { path, isDone: (after) => valueAt(after, path) === value });
}

/**
 * Returns `text` without the key or table at `path`, and without the header of its table if nothing is left there.
 * Comments between the removed lines disappear too. Returns `text` itself if nothing is at `path`. Throws as
 * `setTomlString` does.
 */
export function removeTomlKey(text: string, path: TomlPath): string {
  const document = parseTomlWithSpans(text);
  if (valueAt(document.table, path) === undefined) return text;
  if (isInInlineTable(text, document, path)) throw notEditable(path);
  const spans = spansBelow(text, document, { path, content: valueAt(document.table, path) });
  const edited = checkedEdit(withoutLines(text, spans), {
    path,
    isDone: (after) => valueAt(after, path) === undefined,
  });
  const hasOwnHeader = spans.some(({ start }) => text[start] === '[');
  return hasOwnHeader ? edited : withoutEmptyHeader(edited, path.slice(0, -1));
}

/** Inputs of `withString`. */
interface StringEdit {
  /** The parsed text. */
  readonly document: SpannedToml;
  readonly path: TomlPath;
  readonly value: string;
}

/** Does the same as `setTomlString`, without checking the result. */
function withString(text: string, { document, path, value }: StringEdit): string {
  const written = writeTomlString(value);
  const existing = document.find(path);
  if (existing !== null) {
    if (isContainer(valueAt(document.table, path))) throw notEditable(path);
    return text.slice(0, existing.value.start) + written + text.slice(existing.value.end);
  }
  const table = path.slice(0, -1);
  const newline = text.includes('\r\n') ? '\r\n' : '\n';
  const entry = `${writeTomlKey(present(path.at(-1), 'the last name'))} = ${written}${newline}`;
  const opening = document.find(table)?.value ?? null;
  if (opening === null) return withNewTable(text, table, { entry, newline });
  if (text[opening.start] === '[') {
    // The table has a header: the entry becomes its first line.
    const end = lineEnd(text, opening.end);
    return `${text.slice(0, end)}${text[end - 1] === '\n' ? '' : newline}${entry}${text.slice(end)}`;
  }
  const start = lineStart(text, opening.start);
  const upToName = text.slice(start, opening.end);
  // Only the header of a table inside it names the table.
  if (upToName.trimStart().startsWith('[')) return withNewTable(text, table, { entry, newline });
  // A dotted key makes the table: the entry becomes another dotted key before it.
  return `${text.slice(0, start)}${upToName}.${entry}${text.slice(start)}`;
}

/** Adds a table with one entry at the end, after an empty line. */
function withNewTable(
  text: string,
  table: readonly string[],
  { entry, newline }: { readonly entry: string; readonly newline: string },
): string {
  const lines = /(?:^\ufeff?|\n)$/.test(text) ? text : text + newline;
  const separator = /(?:^\ufeff?|\n\r?\n)$/.test(lines) ? '' : newline;
  return `${lines}${separator}[${table.map(writeTomlKey).join('.')}]${newline}${entry}`;
}

/** Returns `edited`. Throws `config` if it is invalid, or if `isDone` returns false for it. */
function checkedEdit(
  edited: string,
  { path, isDone }: { readonly path: TomlPath; readonly isDone: (document: TomlTable) => boolean },
): string {
  try {
    if (isDone(parseTomlWithSpans(edited).table)) return edited;
  } catch (error) {
    if (!(error instanceof TomlSyntaxError)) throw error;
  }
  throw notEditable(path);
}

function notEditable(path: TomlPath): TsregError {
  return new TsregError(
    `the table of \`${path.map(writeTomlKey).join('.')}\` has a form that only you can edit`,
    {
      code: 'config',
    },
  );
}

/** A value of a document; undefined if there is none. Its path contains the indexes of array elements. */
interface PlacedContent {
  readonly path: readonly (string | number)[];
  readonly content: TomlValue | undefined;
}

/** Returns the places of everything that is written for a value, such as its tables with headers of their own. */
function spansBelow(text: string, document: SpannedToml, { path, content }: PlacedContent): readonly Span[] {
  const { key, value } = present(document.find(path), 'the place of a value');
  const own = { start: Math.min(key.start, value.start), end: value.end };
  const isInlineTable = text[value.start] === '{';
  if (isInlineTable || !(content instanceof Map || Array.isArray(content))) return [own];
  const inside = [...content.entries()].flatMap(([name, each]) =>
    spansBelow(text, document, { path: [...path, name], content: each }),
  );
  return [own, ...inside];
}

/** Returns true if a table on the way to `path` is an inline table: its line has other values too. */
function isInInlineTable(text: string, document: SpannedToml, path: TomlPath): boolean {
  return path.slice(1).some((_, index) => {
    const span = present(document.find(path.slice(0, index + 1)), 'the place of a table').value;
    return text[span.start] === '{';
  });
}

/** Removes the lines of `spans`, the comments and blank lines between them, and one of two blank lines around them. */
function withoutLines(text: string, spans: readonly Span[]): string {
  const ranges: { start: number; end: number }[] = [];
  for (const span of spans.toSorted((a, b) => a.start - b.start)) {
    const start = lineStart(text, span.start);
    const end = lineEnd(text, span.end);
    const last = ranges.at(-1);
    // Only comments and blank lines are between them.
    if (last !== undefined && /^(?:\s*(?:#.*)?\n)*$/.test(text.slice(last.end, start))) {
      last.end = Math.max(last.end, end);
    } else ranges.push({ start, end });
  }
  let edited = '';
  let position = 0;
  for (const { start, end } of ranges) {
    const before = text.slice(position, start);
    // Of two blank lines around the removed ones, removes the first.
    const isBeforeBlank = /^(?:\r?\n|$)/.test(text.slice(end));
    edited += isBeforeBlank ? before.replace(/(^|\n)\r?\n$/, '$1') : before;
    position = end;
  }
  return edited + text.slice(position);
}

/** Removes the header of an empty table without comments. */
function withoutEmptyHeader(text: string, path: readonly string[]): string {
  const document = parseTomlWithSpans(text);
  const header = document.find(path)?.value ?? null;
  const table = valueAt(document.table, path);
  if (header === null || !(table instanceof Map) || table.size > 0 || text[header.start] !== '[') return text;
  const isEmpty = /^\s*(?:\[|$)/.test(text.slice(header.end));
  return isEmpty ? withoutLines(text, [header]) : text;
}

function valueAt(root: TomlTable, path: readonly string[]): TomlValue | undefined {
  let value: TomlValue | undefined = root;
  for (const name of path) value = value instanceof Map ? value.get(name) : undefined;
  return value;
}

function isContainer(value: TomlValue | undefined): boolean {
  return value instanceof Map || Array.isArray(value);
}

/** Returns the start of the line that contains `offset`, after a byte order mark. */
function lineStart(text: string, offset: number): number {
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  return start === 0 && text.startsWith('\ufeff') ? 1 : start;
}

/** Returns the end of the line that contains `offset`, with its line break. */
function lineEnd(text: string, offset: number): number {
  const end = text.indexOf('\n', offset);
  return end === -1 ? text.length : end + 1;
}
