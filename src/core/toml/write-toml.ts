/** TOML output, laid out as cargo writes the manifest of an archive. */
import { formatDecimal } from './format-decimal.ts';
import type { TomlTable, TomlValue } from './value.ts';
import { writeTomlKey, writeTomlString } from './write-string.ts';

/** The layout of a document. */
export interface TomlLayout {
  /**
   * How arrays of two or more elements are written: each element on a separate `line`, or all in one line (`inline`).
   */
  readonly arrays: 'line' | 'inline';
}

/**
 * Returns a document as text. Each table has first its values, then its tables and arrays of tables as separate
 * sections, each in the order of the keys. The text ends with a line feed unless it is empty.
 */
export function writeToml(document: TomlTable, layout: TomlLayout = { arrays: 'line' }): string {
  const sections: string[] = [];
  addSection(document, null, { sections, layout });
  return sections.join('\n');
}

/** The output, to which sections are added, and its layout. */
interface TomlOutput {
  readonly sections: string[];
  readonly layout: TomlLayout;
}

/** The header of a section, `[path]` or `[[path]]` (`isElement`). `path` is TOML text. */
interface Header {
  readonly path: string;
  readonly isElement: boolean;
}

/** Adds the section of a table, then those of its tables. `header` is null for the document itself. */
function addSection(table: TomlTable, header: Header | null, output: TomlOutput): void {
  const { sections, layout } = output;
  // Before the sections of its tables, which are added while the table is read.
  const position = sections.length;
  let body = '';
  let hasChildren = false;
  for (const [key, value] of table) {
    const name = writeTomlKey(key);
    const path = header === null ? name : `${header.path}.${name}`;
    if (value instanceof Map) {
      hasChildren = true;
      addSection(value, { path, isElement: false }, output);
    } else if (isArrayOfTables(value)) {
      hasChildren = true;
      for (const element of value) addSection(element, { path, isElement: true }, output);
    } else {
      body += `${name} = ${writeValue(value, layout)}\n`;
    }
  }
  const text = sectionText(header, body, hasChildren);
  if (text !== null) sections.splice(position, 0, text);
}

/** Returns the text of a section; null if it is empty and the headers below it imply it. */
function sectionText(header: Header | null, body: string, hasChildren: boolean): string | null {
  if (header === null) return body === '' ? null : body;
  const { path, isElement } = header;
  if (isElement) return `[[${path}]]\n${body}`;
  return body === '' && hasChildren ? null : `[${path}]\n${body}`;
}

function isArrayOfTables(value: TomlValue): value is TomlTable[] {
  return Array.isArray(value) && value.length > 0 && value.every((element) => element instanceof Map);
}

function writeValue(value: TomlValue, layout: TomlLayout): string {
  switch (typeof value) {
    case 'string':
      return writeTomlString(value);
    case 'number':
      return Number.isNaN(value) ? 'nan' : formatDecimal(value);
    case 'object':
      if (Array.isArray(value)) return writeArray(value, layout);
      return value instanceof Map ? writeInlineTable(value, layout) : value.text;
    default:
      return String(value);
  }
}

/** Returns an array as text. Elements of nested arrays get no further indentation. */
function writeArray(array: readonly TomlValue[], layout: TomlLayout): string {
  const elements = array.map((element) => writeValue(element, layout));
  if (elements.length < 2 || layout.arrays === 'inline') return `[${elements.join(', ')}]`;
  return `[${elements.map((element) => `\n    ${element},`).join('')}\n]`;
}

function writeInlineTable(table: TomlTable, layout: TomlLayout): string {
  if (table.size === 0) return '{}';
  const entries = Array.from(table, ([key, value]) => `${writeTomlKey(key)} = ${writeValue(value, layout)}`);
  return `{ ${entries.join(', ')} }`;
}
