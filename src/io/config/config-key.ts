/** Names of configuration values and of the environment variables that set them. */

/** One key: its parts, and the environment variable that sets it. */
export interface ConfigKey {
  readonly parts: readonly string[];
  /** `CARGO_` and the parts, in upper case with `_` instead of `-`; but see `entryKey`. */
  readonly variable: string;
}

/** The key of the whole configuration. */
const ROOT_KEY: ConfigKey = { parts: [], variable: 'CARGO' };

/**
 * Parses a dotted key, whose parts cannot contain dots. Treats every part as a field, even the name in
 * `registries.NAME.index`.
 */
export function configKey(dotted: string): ConfigKey {
  return dotted.split('.').reduce(childKey, ROOT_KEY);
}

/** Returns the key of a field of the table at `parent`. */
export function childKey(parent: ConfigKey, part: string): ConfigKey {
  return {
    parts: [...parent.parts, part],
    variable: `${parent.variable}_${part.replaceAll('-', '_').toUpperCase()}`,
  };
}

/** Returns the key of an entry of the open-ended table at `parent`. Its name keeps its spelling in the variable. */
export function entryKey(parent: ConfigKey, part: string): ConfigKey {
  return { parts: [...parent.parts, part], variable: `${parent.variable}_${part}` };
}

/** Returns a key in the form for errors. */
export function formatKey(parts: readonly string[]): string {
  return parts.map(formatKeyPart).join('.');
}

/** Returns one part of a key, quoted as in TOML if it is not a bare key. */
export function formatKeyPart(part: string): string {
  if (/^[A-Za-z0-9_-]*$/.test(part)) return part;
  // TOML strings may contain tabs, but no other control characters. JSON does not escape U+007F.
  const hasNoControls = !/[\u0000-\u0008\u000a-\u001f\u007f]/.test(part);
  if (hasNoControls && !/["\\]/.test(part)) return `"${part}"`;
  if (hasNoControls && !part.includes("'")) return `'${part}'`;
  return JSON.stringify(part).replaceAll('\u007f', '\\u007F');
}

/** Returns true if the parts match a dotted pattern, in which `*` stands for any one part. */
export function matchesPattern(parts: readonly string[], pattern: string): boolean {
  const patternParts = pattern.split('.');
  return (
    patternParts.length === parts.length &&
    patternParts.every((part, position) => part === '*' || part === parts[position])
  );
}
