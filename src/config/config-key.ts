/** Names of configuration values and of the environment variables that set them. */

/** One key: its parts, and the variable that it can be set by. */
export interface ConfigKey {
  readonly parts: readonly string[];
  /** `CARGO_` and the parts, upper-cased, `-` as `_`; parts of open-ended tables keep their spelling. */
  readonly variable: string;
}

/** The key of the whole configuration. */
const ROOT_KEY: ConfigKey = { parts: [], variable: 'CARGO' };

/** A key from dotted text; no part may contain a dot. */
export function configKey(dotted: string): ConfigKey {
  return dotted.split('.').reduce(childKey, ROOT_KEY);
}

/** The key of a field of the table at `parent`. */
export function childKey(parent: ConfigKey, part: string): ConfigKey {
  return {
    parts: [...parent.parts, part],
    variable: `${parent.variable}_${part.replaceAll('-', '_').toUpperCase()}`,
  };
}

/** The key of an entry of the open-ended table at `parent`, whose names are spelled as written. */
export function entryKey(parent: ConfigKey, part: string): ConfigKey {
  return { parts: [...parent.parts, part], variable: `${parent.variable}_${part}` };
}

/** A key as error texts show it. */
export function formatKey(parts: readonly string[]): string {
  return parts.map(formatKeyPart).join('.');
}

/** One part of a key, quoted as TOML where a bare key could not hold it. */
export function formatKeyPart(part: string): string {
  if (/^[A-Za-z0-9_-]*$/.test(part)) return part;
  const plain = !/[\u0000-\u0008\u000a-\u001f\u007f]/.test(part);
  if (plain && !/["\\]/.test(part)) return `"${part}"`;
  if (plain && !part.includes("'")) return `'${part}'`;
  return JSON.stringify(part).replaceAll('\u007f', '\\u007F');
}

/** True if the parts fit a dotted pattern in which `*` stands for any one part. */
export function matchesPattern(parts: readonly string[], pattern: string): boolean {
  const wanted = pattern.split('.');
  return (
    wanted.length === parts.length &&
    wanted.every((part, position) => part === '*' || part === parts[position])
  );
}
