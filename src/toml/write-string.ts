/** Strings and keys as TOML text, in the form that needs the fewest escapes. TOML: String, Keys. */

/** A string as a value: basic, literal, multi-line basic or multi-line literal, the first that needs no escape. */
export function writeTomlString(text: string): string {
  const needsEscapes = hasControls(text);
  const hasNewline = text.includes('\n');
  const isPlain = !needsEscapes && !text.includes('\\');
  if (isPlain && !hasNewline && !text.includes('"')) return basic(text);
  if (!needsEscapes && !hasNewline && !text.includes("'")) return `'${text}'`;
  const opening = hasNewline ? '\n' : '';
  if (isPlain && !text.includes('"""')) return `"""${opening}${escapeMultiline(text)}"""`;
  if (!needsEscapes && !text.includes("'''")) return `'''${opening}${text}'''`;
  return hasNewline ? `"""${opening}${escapeMultiline(text)}"""` : basic(text);
}

/** A key: bare where that is possible, else a basic or literal string on one line. */
export function writeTomlKey(key: string): string {
  if (/^[A-Za-z0-9_-]+$/.test(key)) return key;
  const needsEscapes = hasControls(key) || key.includes('\n');
  if (!needsEscapes && /["\\]/.test(key) && !key.includes("'")) return `'${key}'`;
  return basic(key);
}

/** True for characters that only an escape can say. Tabs and line feeds are none of them. */
function hasControls(text: string): boolean {
  return /[\0-\x08\x0b-\x1f\x7f]/.test(text);
}

function basic(text: string): string {
  return `"${text.replace(/[\0-\x1f\x7f"\\]/g, escape)}"`;
}

/** Line feeds stay, and of quotes in a row every third is escaped. */
function escapeMultiline(text: string): string {
  return text.replace(/[\0-\x09\x0b-\x1f\x7f\\]/g, escape).replaceAll('"""', '""\\"');
}

const ESCAPES: Readonly<Record<string, string>> = {
  '\b': '\\b',
  '\t': '\\t',
  '\n': '\\n',
  '\f': '\\f',
  '\r': '\\r',
  '"': '\\"',
  '\\': '\\\\',
};

function escape(character: string): string {
  const code = character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
  return ESCAPES[character] ?? `\\u${code}`;
}
