/** `--config` arguments. Cargo Book: Configuration, "Command-line overrides". */
import { TsregError, withContext } from '../../core/errors/error.ts';
import {
  COMMENT,
  DOT,
  END,
  EQUALS,
  LEFT_BRACKET,
  Lexer,
  NEWLINE,
  type TokenKind,
  WHITESPACE,
} from '../../core/toml/lexer.ts';
import type { TomlTable, TomlValue } from '../../core/toml/value.ts';
import { configFromToml, mergeTables, type TableValue } from './config-value.ts';
import type { Definition } from './definition.ts';
import { parseConfigText } from './parse-text.ts';
import { joinPath } from '../../core/files/path.ts';
import { type ReadContext, readConfigFile, withIncludes } from './read-file.ts';

const COMMAND_LINE: Definition = { kind: 'command-line', path: null };

/**
 * Merges the values of `--config` into one table; later ones take precedence. Throws with cargo's chain of causes. No
 * two of them may name the same file.
 */
export function readConfigArguments(args: readonly string[], context: ReadContext): TableValue {
  let merged: TableValue = { type: 'table', value: new Map(), definition: COMMAND_LINE };
  const readPaths = new Set<string>();
  for (const arg of args) {
    const value = readArgument(arg, { ...context, readPaths });
    const withIncluded = withContext('failed to load --config include', () =>
      withIncludes(value, 'command-line', context),
    );
    merged = withContext(
      () => `failed to merge --config argument \`${arg}\``,
      () => mergeTables(merged, withIncluded, { force: true }),
    );
  }
  return merged;
}

/** Returns the content of the file that `arg` names, or else the value of the expression `arg`. */
function readArgument(arg: string, context: ReadContext): TableValue {
  const path = joinPath(context.cwd, arg);
  if (arg !== '' && context.files.exists(path)) {
    return withContext(`failed to load config from \`${path}\``, () =>
      readConfigFile(path, 'command-line', context),
    );
  }
  const table = parseExpression(arg);
  refuseSecrets(table);
  return withContext(`failed to convert --config argument \`${arg}\``, () =>
    configFromToml(table, COMMAND_LINE),
  );
}

/** Parses one `a.b = value`, the only TOML that an argument may contain. Throws `config` for other TOML. */
function parseExpression(arg: string): TomlTable {
  const table = withContext(
    `failed to parse value from --config argument \`${arg}\` as a dotted key expression`,
    () => parseConfigText(arg),
    arg.includes('=') ? {} : { hint: `there is no file \`${arg}\`; a value has the form \`KEY=VALUE\`` },
  );
  const shape = shapeOf(arg);
  const refusal = (problem: string): TsregError =>
    new TsregError(`--config argument \`${arg}\` ${problem}`, { code: 'config' });
  if (shape.isTableArray && table.size === 1) {
    throw refusal('sets a value to an array of tables, which is not accepted');
  }
  const value = shape.keyParts === 0 ? null : followSinglePath(table, shape.keyParts);
  if (value === null) throw refusal('was not a TOML dotted key expression (such as `build.jobs = 2`)');
  if (value instanceof Map) throw refusal('sets a value to an inline table, which is not accepted');
  if (shape.isDecorated) throw refusal('includes non-whitespace decoration');
  return table;
}

interface ExpressionShape {
  /** Number of parts of the first expression's key; 0 for a table header or if there is no expression. */
  readonly keyParts: number;
  /** True if the text starts with `[[name]]`. */
  readonly isTableArray: boolean;
  /** True if there is a comment before the key or after the value. */
  readonly isDecorated: boolean;
}

/** Returns facts that only tokens show. The text must be valid TOML. */
function shapeOf(text: string): ExpressionShape {
  const lexer = new Lexer(text);
  // A function, because TypeScript assumes that `lexer.kind` stays the same.
  const kind = (): TokenKind => lexer.kind;
  let isDecorated = false;
  for (; kind() === WHITESPACE || kind() === NEWLINE || kind() === COMMENT; lexer.advance()) {
    isDecorated ||= kind() === COMMENT;
  }
  if (kind() === LEFT_BRACKET) {
    return { keyParts: 0, isTableArray: /^\[\[[^.]*\]\]/.test(text.slice(lexer.start)), isDecorated };
  }
  let keyParts = 0;
  for (; kind() !== EQUALS && kind() !== END; lexer.advance()) {
    if (kind() !== WHITESPACE && kind() !== DOT) keyParts += 1;
  }
  return { keyParts, isTableArray: false, isDecorated: isDecorated || endsInComment(text) };
}

/** Returns true if a comment follows the value on its last line. `lexer.lastEnd` is the end of the value. */
function endsInComment(text: string): boolean {
  const lexer = new Lexer(text);
  let lastCommentStart = -1;
  for (; lexer.kind !== END; lexer.advance()) if (lexer.kind === COMMENT) lastCommentStart = lexer.start;
  const afterValue = text.slice(lexer.lastEnd);
  const restOfLine = afterValue.slice(0, afterValue.search(/\n|$/));
  return lastCommentStart >= lexer.lastEnd && restOfLine.includes('#');
}

/** Returns the value `depth` levels down; null unless each table on the way has just one entry. */
function followSinglePath(table: TomlTable, depth: number): TomlValue | null {
  let value: TomlValue = table;
  for (let level = 0; level < depth; level += 1) {
    if (!(value instanceof Map) || value.size !== 1) return null;
    const [child] = value.values();
    if (child === undefined) return null;
    value = child;
  }
  return value;
}

/** Throws `config` if the table sets a token or a key: other users can see arguments. */
function refuseSecrets(table: TomlTable): void {
  for (const field of ['token', 'secret-key']) {
    if (subtable(table, 'registry')?.has(field) === true) throw secretRefusal(`registry.${field}`);
    for (const [name, registry] of subtable(table, 'registries') ?? []) {
      if (registry instanceof Map && registry.has(field)) throw secretRefusal(`registries.${name}.${field}`);
    }
  }
}

function secretRefusal(key: string): TsregError {
  return new TsregError(`${key} cannot be set through --config for security reasons`, { code: 'config' });
}

function subtable(table: TomlTable, key: string): TomlTable | null {
  const value = table.get(key);
  return value instanceof Map ? value : null;
}
