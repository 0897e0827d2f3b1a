/** Tables as TOML text, laid out as cargo writes the manifest of an archive. */
import { formatDecimal } from './format-decimal.ts';
import type { TomlTable, TomlValue } from './value.ts';
import { writeTomlKey, writeTomlString } from './write-string.ts';

/**
 * A document: of each table first its values, then its tables and arrays of tables as sections of their own,
 * each in the order of the keys. Arrays of two or more elements have one on each line. Ends with a line feed
 * unless it is empty.
 */
export function writeToml(document: TomlTable): string {
  const sections: string[] = [];
  addSection(document, null, sections);
  return sections.join('\n');
}

/** How a table's section begins; `path` is written already. */
interface Header {
  readonly path: string;
  readonly isElement: boolean;
}

/** Adds the section of a table, then those of the tables in it. `header` is null for the document itself. */
function addSection(table: TomlTable, header: Header | null, sections: string[]): void {
  const place = sections.length;
  let body = '';
  let hasChildren = false;
  for (const [key, value] of table) {
    const name = writeTomlKey(key);
    const path = header === null ? name : `${header.path}.${name}`;
    if (value instanceof Map) {
      hasChildren = true;
      addSection(value, { path, isElement: false }, sections);
    } else if (isArrayOfTables(value)) {
      hasChildren = true;
      for (const element of value) addSection(element, { path, isElement: true }, sections);
    } else {
      body += `${name} = ${writeValue(value)}\n`;
    }
  }
  const text = sectionText(header, body, hasChildren);
  if (text !== null) sections.splice(place, 0, text);
}

/** null for a section that says nothing: what stands in it is known from the headers below it. */
function sectionText(header: Header | null, body: string, hasChildren: boolean): string | null {
  if (header === null) return body === '' ? null : body;
  const { path, isElement } = header;
  if (isElement) return `[[${path}]]\n${body}`;
  return body === '' && hasChildren ? null : `[${path}]\n${body}`;
}

function isArrayOfTables(value: TomlValue): value is TomlTable[] {
  return Array.isArray(value) && value.length > 0 && value.every((element) => element instanceof Map);
}

function writeValue(value: TomlValue): string {
  switch (typeof value) {
    case 'string':
      return writeTomlString(value);
    case 'number':
      return Number.isNaN(value) ? 'nan' : formatDecimal(value);
    case 'object':
      if (Array.isArray(value)) return writeArray(value);
      return value instanceof Map ? writeInlineTable(value) : value.text;
    default:
      return String(value);
  }
}

/** Elements of arrays within arrays are no further indented. */
function writeArray(array: readonly TomlValue[]): string {
  const elements = array.map(writeValue);
  if (elements.length < 2) return `[${elements.join('')}]`;
  return `[${elements.map((element) => `\n    ${element},`).join('')}\n]`;
}

function writeInlineTable(table: TomlTable): string {
  if (table.size === 0) return '{}';
  const entries = Array.from(table, ([key, value]) => `${writeTomlKey(key)} = ${writeValue(value)}`);
  return `{ ${entries.join(', ')} }`;
}
