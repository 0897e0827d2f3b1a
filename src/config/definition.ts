/** Where a configuration value was written down. Cargo Book: Configuration. */
import { joinPath } from '../files/path.ts';
import { parentPath } from './parent-path.ts';

/** The origin of one value; it decides precedence, what relative paths start from, and error texts. */
export type Definition =
  | { readonly kind: 'default' }
  /** A discovered file, or one that such a file includes; absolute path. */
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'environment'; readonly name: string }
  /** `--config`: `path` is the absolute path of the named file, null for a `KEY=VALUE`. */
  | { readonly kind: 'command-line'; readonly path: string | null };

/** A value and where it was written down. */
export interface Located<T> {
  readonly value: T;
  readonly definition: Definition;
}

const RANK = { default: 0, file: 1, environment: 2, 'command-line': 3 } as const;

/** Order of precedence: positive if `a` beats `b`, 0 between definitions of one kind. */
export function compareDefinitions(a: Definition, b: Definition): number {
  return RANK[a.kind] - RANK[b.kind];
}

/** A definition as error texts name it. */
export function describeDefinition(definition: Definition): string {
  switch (definition.kind) {
    case 'default':
      return 'default';
    case 'file':
      return definition.path;
    case 'environment':
      return `environment variable \`${definition.name}\``;
    case 'command-line':
      return definition.path ?? '--config cli option';
  }
}

/**
 * The folder that relative paths in a value start from: the one that holds the `.cargo` folder of a file,
 * else the working folder. Cargo Book: Configuration, "Config-relative paths".
 */
export function definitionRoot(definition: Definition, cwd: string): string {
  const path = 'path' in definition ? definition.path : null;
  return path === null ? cwd : parentPath(parentPath(path));
}

/** A located path made absolute, without normalising it. */
export function resolveLocatedPath(path: Located<string>, cwd: string): string {
  return joinPath(definitionRoot(path.definition, cwd), path.value);
}
