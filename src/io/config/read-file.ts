/**
 * Reads a configuration file and the files it includes. Cargo Book: Configuration, "Including extra configuration
 * files".
 */
import { osError } from '../disk/errno.ts';
import { TsregError, withContext } from '../../core/errors/error.ts';
import { describeErrno } from '../../core/errors/os-error-text.ts';
import type { Files } from '../../core/files/files.ts';
import { parseConfigText } from './parse-text.ts';
import {
  type ConfigTable,
  type ConfigValue,
  configFromToml,
  mergeTables,
  type TableValue,
} from './config-value.ts';
import { type Definition, describeDefinition } from './definition.ts';
import { joinPath, normalizePath } from '../../core/files/path.ts';
import { parentPath } from './parent-path.ts';

/** Inputs for reading files. */
export interface ReadContext {
  readonly files: Files;
  readonly cwd: string;
  /** Collects the paths of the files read so far, none of which may be read again. Default: an empty set. */
  readonly readPaths?: Set<string>;
  /** True if errors must show only the keys of a file, because its values may be secret. Default: false. */
  readonly hidesValues?: boolean;
}

/** `file` for a discovered file, `command-line` for one named by `--config`. */
export type Origin = 'file' | 'command-line';

/** Reads the file at the absolute `path` and all files it includes. Throws with cargo's chain of causes. */
export function readConfigFile(path: string, origin: Origin, context: ReadContext): TableValue {
  const readPaths = context.readPaths ?? new Set<string>();
  if (readPaths.has(path)) {
    throw new TsregError(`config \`include\` cycle detected with path \`${path}\``, { code: 'config' });
  }
  readPaths.add(path);
  const text = withContext(`failed to read configuration file \`${path}\``, () => readText(path, context));
  const table = withContext(`could not parse TOML configuration in \`${path}\``, () =>
    parseConfigText(text, { hidesValues: context.hidesValues === true }),
  );
  const value = withContext(`failed to load TOML configuration from \`${path}\``, () =>
    configFromToml(table, { kind: origin, path }),
  );
  return withIncludes(value, origin, { ...context, readPaths });
}

/** Merges `value` over the files that its `include` names, and removes that key. */
export function withIncludes(value: TableValue, origin: Origin, context: ReadContext): TableValue {
  if (!value.value.has('include')) return value;
  const includes = includesOf(value.value);
  let merged: TableValue = { type: 'table', value: new Map(), definition: value.definition };
  for (const include of includes) {
    const path = includePath(include, context.cwd);
    if (include.optional && !context.files.exists(path)) continue;
    merged = withContext(
      () =>
        `failed to load config include \`${include.path}\` from \`${describeDefinition(include.definition)}\``,
      () => mergeTables(merged, readConfigFile(path, origin, context), { force: true }),
    );
  }
  const ownEntries = new Map(value.value);
  ownEntries.delete('include');
  return mergeTables(merged, { ...value, value: ownEntries }, { force: true });
}

/** An item of `include`. */
interface Include {
  /** As written. */
  readonly path: string;
  /** True if the file may be missing. */
  readonly optional: boolean;
  readonly definition: Definition;
}

/** Returns the items of `include`, all checked. Throws `config` if one is invalid. */
function includesOf(table: ConfigTable): readonly Include[] {
  const include = table.get('include');
  if (include === undefined) return [];
  if (include.type !== 'array') {
    const place = describeDefinition(include.definition);
    throw invalid(
      // cargo's text has no closing backtick.
      `expected a list of strings or a list of tables, but found ${include.type} at \`include\` in \`${place}`,
    );
  }
  const includes = include.value.map(decodeInclude);
  for (const include of includes) checkIncludePath(include);
  return includes;
}

/** Decodes one item: a path, or a table with `path` and `optional`. */
function decodeInclude(item: ConfigValue, position: number): Include {
  const { definition } = item;
  const place = describeDefinition(definition);
  if (item.type === 'string') return { path: item.value, optional: false, definition };
  if (item.type !== 'table') {
    throw invalid(
      `expected a string or table, but found ${item.type} at \`include[${position}]\` in ${place}`,
    );
  }
  const path = item.value.get('path');
  if (path === undefined) throw invalid(`missing field \`path\` at \`include[${position}]\` in \`${place}\``);
  if (path.type !== 'string') {
    throw invalid(
      `expected a string, but found ${path.type} at \`include[${position}].path\` in \`${place}\``,
    );
  }
  const optional = item.value.get('optional');
  if (optional !== undefined && optional.type !== 'boolean') {
    throw invalid(
      `expected a boolean, but found ${optional.type} at \`include[${position}].optional\` in \`${place}\``,
    );
  }
  return { path: path.value, optional: optional?.value ?? false, definition };
}

/** Throws `config` unless the path ends with `.toml` and has no pattern or variable. */
function checkIncludePath(include: Include): void {
  const origin = `but found \`${include.path}\` from \`${describeDefinition(include.definition)}\``;
  const name = include.path.split('/').findLast((part) => part !== '' && part !== '.') ?? '';
  // As in Rust, the file `.toml` has no extension.
  if (!/.\.toml$/.test(name)) {
    throw invalid(`expected a config include path ending with \`.toml\`, ${origin}`);
  }
  if (/[*?[\]]/.test(include.path)) {
    throw invalid(`expected a config include path without glob patterns, ${origin}`);
  }
  if (/[{}]/.test(include.path)) {
    throw invalid(`expected a config include path without template braces, ${origin}`);
  }
}

/** Returns the absolute path of an include, which is relative to the folder of the including file. */
function includePath(include: Include, cwd: string): string {
  const includingFile = 'path' in include.definition ? include.definition.path : null;
  return normalizePath(joinPath(includingFile === null ? cwd : parentPath(includingFile), include.path));
}

function readText(path: string, context: ReadContext): string {
  const bytes = readBytes(path, context);
  if (bytes === null) throw new TsregError(describeErrno('ENOENT'), { code: 'not-found' });
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw invalid('stream did not contain valid UTF-8');
  }
}

function readBytes(path: string, context: ReadContext): Uint8Array | null {
  try {
    return context.files.read(path);
  } catch (error) {
    throw osError(error);
  }
}

function invalid(message: string): TsregError {
  return new TsregError(message, { code: 'config' });
}
