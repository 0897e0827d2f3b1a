/** Patterns of `members` and `default-members`, matched like those of the crate `glob`, which cargo uses. */
import { osErrorText } from '../disk/errno.ts';
import { TsregError } from '../../core/errors/error.ts';
import type { Entry, Files } from '../../core/files/files.ts';
import { joinPath, parentFolder, relativePath, rootOfPath } from '../../core/files/path.ts';
import { parseGlob, type GlobComponent } from './glob-pattern.ts';

/**
 * Returns the paths of files and folders that match an absolute pattern, those in one folder in bytewise order. `.` and
 * `..` of the pattern stay in the results. Empty if nothing matches. Cargo Book: Workspaces, The members and exclude
 * fields.
 */
export function expandGlob(pattern: string, files: Files): string[] {
  parseGlob(pattern);
  const root = rootOfPath(pattern) ?? '/';
  const components =
    root === '/' ? pattern.replace(/^\/+/, '').split('/') : pattern.slice(root.length).split(/[\\/]/);
  const requiresFolder = components.length > 1 && components.at(-1) === '';
  if (requiresFolder) components.pop();
  const matches: string[] = [];
  const expansion = new Expansion(components.map(parseGlob), files);
  for (const match of expansion.below(root, 0)) {
    if (!requiresFolder || files.kind(match) === 'directory') matches.push(match);
  }
  return matches;
}

/** The expansion of one pattern. An index is a position in its components. */
class Expansion {
  readonly #components: readonly GlobComponent[];
  readonly #files: Files;

  constructor(components: readonly GlobComponent[], files: Files) {
    this.#components = components;
    this.#files = files;
  }

  /** Yields the paths below the folder `path` that match the components from `index` on. */
  *below(path: string, index: number): Generator<string> {
    let literal = path;
    let nextIndex = index;
    let component = this.#components[nextIndex];
    while (component !== undefined && !component.hasWildcards) {
      literal = joinPath(literal, component.text);
      nextIndex += 1;
      component = this.#components[nextIndex];
    }
    if (nextIndex > index && !this.#exists(literal)) return;
    if (component === undefined) {
      yield literal;
      return;
    }
    if (this.#files.kind(literal) !== 'directory') return;
    yield* this.#specialEntries(literal, component, nextIndex);
    for (const { name } of this.#list(literal)) yield* this.#matchesOfEntry(literal, name, nextIndex);
  }

  /** Yields the matches at and below the entry `name` of `folder`, for the wildcard component at `index`. */
  *#matchesOfEntry(folder: string, name: string, index: number): Generator<string> {
    const path = joinPath(folder, name);
    let position = index;
    if (this.#components[position]?.isRecursive === true) {
      while (this.#components[position + 1]?.isRecursive === true) position += 1;
      const isFolder = this.#files.kind(path) === 'directory';
      if (position === this.#components.length - 1) {
        if (!isFolder) return;
        yield path;
      } else {
        yield* this.#matchesAtPath(path, name, position + 1);
      }
      if (isFolder) {
        for (const child of this.#list(path)) yield* this.#matchesOfEntry(path, child.name, position);
      }
      return;
    }
    yield* this.#matchesAtPath(path, name, position);
  }

  /** Yields the matches at and below `path` if its name matches the component at `index`. */
  *#matchesAtPath(path: string, name: string, index: number): Generator<string> {
    if (this.#components[index]?.matches(name) !== true) return;
    if (index === this.#components.length - 1) yield path;
    else yield* this.below(path, index + 1);
  }

  /** Yields matches of `.` and `..`, which no listing has, for patterns that begin with a dot. */
  *#specialEntries(folder: string, component: GlobComponent, index: number): Generator<string> {
    if (!component.startsWithDot) return;
    for (const name of ['..', '.']) {
      if (!component.matches(name)) continue;
      const path = joinPath(folder, name);
      if (index === this.#components.length - 1) yield path;
      else yield* this.below(path, index + 1);
    }
  }

  /** Lists a folder; empty if it does not exist. Throws `io` if it cannot be read. */
  #list(folder: string): readonly Entry[] {
    try {
      return this.#files.list(folder) ?? [];
    } catch (error) {
      throw new TsregError(`attempting to read \`${folder}\` resulted in an error: ${osErrorText(error)}`, {
        code: 'io',
      });
    }
  }

  /** Returns true if something is at `path`, even a link with a missing target. */
  #exists(path: string): boolean {
    if (this.#files.exists(path)) return true;
    const parent = parentFolder(path);
    if (this.#files.kind(parent) !== 'directory') return false;
    const name = relativePath(parent, path);
    return this.#list(parent).some((entry) => entry.name === name && entry.kind === 'symlink');
  }
}
