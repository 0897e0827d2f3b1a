/** Origins of configuration values. Cargo Book: Configuration. */
import { joinPath } from '../../core/files/path.ts';
import { parentPath } from './parent-path.ts';

/** The origin of a value. It determines precedence, the base of relative paths, and errors. */
export type Definition =
  | { readonly kind: 'default' }
  /** A discovered file, or one that such a file includes. `path` is absolute. */
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'environment'; readonly name: string }
  /** `--config`. `path` is the absolute path of the named file, or null for `KEY=VALUE`. */
  | { readonly kind: 'command-line'; readonly path: string | null };

/** A value and its origin. */
export interface Located<T> {
  readonly value: T;
  readonly definition: Definition;
}

const RANK = { default: 0, file: 1, environment: 2, 'command-line': 3 } as const;

/** Compares precedence. Returns a positive number if `a` overrides `b`, 0 between definitions of one kind. */
export function compareDefinitions(a: Definition, b: Definition): number {
  return RANK[a.kind] - RANK[b.kind];
}

/** Returns the name of a definition in errors. */
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
 * Returns the folder that relative paths in a value start from: the parent of the `.cargo` folder for a file, else the
 * working directory. Cargo Book: Configuration, "Config-relative paths".
 */
export function definitionRoot(definition: Definition, cwd: string): string {
  const path = 'path' in definition ? definition.path : null;
  return path === null ? cwd : parentPath(parentPath(path));
}

/** Makes a located path absolute, without normalizing it. */
export function resolveLocatedPath(path: Located<string>, cwd: string): string {
  return joinPath(definitionRoot(path.definition, cwd), path.value);
}
