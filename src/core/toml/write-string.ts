/** Strings and keys as TOML text, in the form that needs the fewest escapes. TOML: String, Keys. */

/**
 * Returns `text` as a TOML value in the first of these forms that needs no escape: basic, literal, multi-line basic,
 * multi-line literal. If there is none, the value has escapes.
 */
export function writeTomlString(text: string): string {
  const needsEscapes = hasControls(text);
  const hasNewline = text.includes('\n');
  const fitsBasic = !needsEscapes && !text.includes('\\');
  if (fitsBasic && !hasNewline && !text.includes('"')) return basic(text);
  if (!needsEscapes && !hasNewline && !text.includes("'")) return `'${text}'`;
  const opening = hasNewline ? '\n' : '';
  if (fitsBasic && !text.includes('"""')) return `"""${opening}${escapeMultiline(text)}"""`;
  if (!needsEscapes && !text.includes("'''")) return `'''${opening}${text}'''`;
  return hasNewline ? `"""${opening}${escapeMultiline(text)}"""` : basic(text);
}

/** Returns a key as TOML text: bare if possible, else a basic or literal string on one line. */
export function writeTomlKey(key: string): string {
  if (/^[A-Za-z0-9_-]+$/.test(key)) return key;
  const needsEscapes = hasControls(key) || key.includes('\n');
  if (!needsEscapes && /["\\]/.test(key) && !key.includes("'")) return `'${key}'`;
  return basic(key);
}

/** Returns true if `text` has a character that only an escape can express. Tabs and line feeds do not count. */
function hasControls(text: string): boolean {
  return /[\0-\x08\x0b-\x1f\x7f]/.test(text);
}

/** Returns a basic string, on one line. */
function basic(text: string): string {
  return `"${text.replace(/[\0-\x1f\x7f"\\]/g, escape)}"`;
}

/** Returns the content of a multi-line basic string. Keeps line feeds. Of consecutive quotes, escapes every third. */
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
