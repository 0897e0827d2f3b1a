/** Determines which source replaces which. Cargo Book: Source Replacement. */
import type { Config } from '../config/config.ts';
import { located, locatedPath, map, string, struct } from '../config/decoder.ts';
import { describeDefinition, type Located, resolveLocatedPath } from '../config/definition.ts';
import { cratesIoIndex, registryIndex } from '../config/registry-index.ts';
import { TsregError, withContext } from '../../core/errors/error.ts';
import { CRATES_IO_NAME } from '../../core/package-id/crates-io.ts';
import { displaySource } from '../../core/package-id/describe.ts';
import {
  type GitReference,
  isRegistry,
  isSameSource,
  type SourceId,
} from '../../core/package-id/source-id.ts';
import type { SourceTable } from '../../core/package-id/source-table.ts';
import { parseUrl } from '../../core/package-id/url.ts';

/** `[source.NAME]`, as written. */
interface SourceDefinition {
  readonly 'replace-with': Located<string> | null;
  readonly directory: Located<string> | null;
  readonly registry: Located<string> | null;
  readonly 'local-registry': Located<string> | null;
  readonly git: Located<string> | null;
  readonly branch: Located<string> | null;
  readonly tag: Located<string> | null;
  readonly rev: Located<string> | null;
}

const SOURCE_TABLES = map(
  struct<SourceDefinition>({
    'replace-with': located(string),
    directory: locatedPath,
    registry: located(string),
    'local-registry': locatedPath,
    git: located(string),
    branch: located(string),
    tag: located(string),
    rev: located(string),
  }),
);

/** A source with a name in `[source]`. */
interface NamedSource {
  readonly source: SourceId;
  readonly replaceWith: Located<string> | null;
}

/** The `[source]` tables of a configuration, and the built-in source of crates.io. */
export class SourceReplacement {
  readonly #config: Config;
  readonly #sources: SourceTable;
  readonly #byName = new Map<string, NamedSource>();
  /** The name of each source, by its key without the commit. */
  readonly #names = new Map<string, string>();

  /** Reads the tables. Throws with cargo's message if they are invalid. */
  constructor(config: Config, sources: SourceTable) {
    this.#config = config;
    this.#sources = sources;
    // crates.io has two indexes, which replacements of `crates-io` replace both.
    this.#add(CRATES_IO_NAME, { source: sources.cratesIo(), replaceWith: null });
    this.#add(CRATES_IO_NAME, { source: cratesIoIndex(config, sources), replaceWith: null });
    for (const [name, definition] of config.get('source', SOURCE_TABLES)) {
      const source = this.#definedSource(name, definition);
      this.#add(name, { source, replaceWith: definition['replace-with'] });
    }
  }

  /**
   * Returns the source that packages of `original` really come from; `original` if nothing replaces it. Throws `config`
   * if the chain of replacements is broken, or if the replacement is not suitable.
   */
  actualOf(original: SourceId): SourceId {
    const firstName = this.#names.get(original.unpinnedKey);
    if (firstName === undefined) return original;
    const replacement = this.#follow(firstName, original);
    if (replacement === null) return original;
    const actual = this.#sources.withPrecise(replacement.source, original.precise);
    if (!hasChecksums(actual) && hasChecksums(original))
      throw invalid(
        `cannot replace \`${firstName}\` with \`${replacement.name}\`, the source \`${firstName}\` supports ` +
          `checksums, but \`${replacement.name}\` does not\n\n` +
          `a lock file compatible with \`${firstName}\` cannot be generated in this situation\n`,
      );
    if ((original.kind === 'git' || original.kind === 'directory') && original.precise === null)
      throw invalid(
        `the source ${firstName} requires a lock file to be present first before it can be\n` +
          'used against vendored source code\n\n' +
          'remove the source replacement configuration, generate a lock file, and then\n' +
          'restore the source replacement configuration to continue the build\n',
      );
    return actual;
  }

  /**
   * Returns the name in `[registries]` of the registry that replaces `original`; `crates-io` if packages come from
   * crates.io. Returns null if the replacement has no such name, or if there is none.
   */
  registryReplacing(original: SourceId): string | null {
    const firstName = this.#names.get(original.unpinnedKey);
    const replacement = firstName === undefined ? null : this.#follow(firstName, original);
    if (isSameSource(replacement?.source ?? original, this.#sources.cratesIo())) return CRATES_IO_NAME;
    return replacement === null || this.#byName.has(replacement.name) ? null : replacement.name;
  }

  /** Follows `replace-with` to its end. Returns null if that is `original` itself. */
  #follow(firstName: string, original: SourceId): { source: SourceId; name: string } | null {
    let name = firstName;
    /** Where `name` was written; not used before the second round. */
    let place = '';
    const followed = new Set([firstName]);
    for (;;) {
      const namedSource = this.#byName.get(name);
      if (namedSource === undefined) {
        const registry = this.#registryNamed(name);
        if (registry !== null) return { source: registry, name };
        throw invalid(
          `could not find a configured source with the name \`${name}\` ` +
            `when attempting to lookup \`${firstName}\` (configuration in \`${place}\`)`,
        );
      }
      if (namedSource.replaceWith === null) {
        return namedSource.source.unpinnedKey === original.unpinnedKey
          ? null
          : { source: namedSource.source, name };
      }
      name = namedSource.replaceWith.value;
      place = describeDefinition(namedSource.replaceWith.definition);
      // cargo never ends if the cycle does not lead back to the first name.
      if (followed.has(name))
        throw invalid(
          `detected a cycle of \`replace-with\` sources, the source \`${name}\` ` +
            `is eventually replaced with itself (configuration in \`${place}\`)`,
        );
      followed.add(name);
    }
  }

  /** Returns the registry of that name; null if it is not configured. */
  #registryNamed(name: string): SourceId | null {
    try {
      return registryIndex(this.#config, name, this.#sources);
    } catch {
      return null;
    }
  }

  /** Adds a named source. Throws `config` if another name already defines it. */
  #add(name: string, namedSource: NamedSource): void {
    const otherName = this.#names.get(namedSource.source.unpinnedKey);
    if (otherName !== undefined && name !== CRATES_IO_NAME)
      throw invalid(
        `source \`${name}\` defines source ${displaySource(namedSource.source)}, but that source is already ` +
          `defined by \`${otherName}\`\nnote: Sources are not allowed to be defined multiple times.`,
      );
    this.#names.set(namedSource.source.unpinnedKey, name);
    this.#byName.set(name, namedSource);
  }

  /** Returns the source that `[source.NAME]` defines. Throws `config` unless the table defines exactly one. */
  #definedSource(name: string, definition: SourceDefinition): SourceId {
    const { registry, directory, git } = definition;
    const localRegistry = definition['local-registry'];
    const sources = this.#sources;
    const definedSources: SourceId[] = [];
    if (registry !== null) {
      const url = readUrl(registry, `source.${name}.registry`);
      definedSources.push(sources.forConfiguredSource(url, name));
    }
    if (localRegistry !== null) {
      definedSources.push(sources.forLocalRegistry(resolveLocatedPath(localRegistry, this.#config.cwd)));
    }
    if (directory !== null)
      definedSources.push(sources.forDirectory(resolveLocatedPath(directory, this.#config.cwd)));
    if (git !== null) {
      definedSources.push(sources.forGit(readUrl(git, `source.${name}.git`), referenceOf(definition)));
    } else {
      checkNoReference(name, definition);
    }
    if (name === CRATES_IO_NAME && definedSources.length === 0)
      definedSources.push(cratesIoIndex(this.#config, sources));
    const [first, second] = definedSources;
    if (first === undefined)
      throw invalid(
        `no source location specified for \`source.${name}\`, need ` +
          '`registry`, `local-registry`, `directory`, or `git` defined',
      );
    if (second !== undefined) throw invalid(`more than one source location specified for \`source.${name}\``);
    return first;
  }
}

/** Throws `config` if the definition has a key that only a git repository can have. */
function checkNoReference(name: string, definition: SourceDefinition): void {
  for (const key of ['branch', 'tag', 'rev'] as const) {
    const value = definition[key];
    if (value === null) continue;
    throw invalid(
      `source definition \`source.${name}\` specifies \`${key}\`, but that requires a \`git\` ` +
        `key to be specified (in ${describeDefinition(value.definition)})`,
    );
  }
}

/** Returns true if the packages of a source have checksums that do not depend on the source. */
function hasChecksums(source: SourceId): boolean {
  return isRegistry(source) || source.kind === 'directory';
}

function referenceOf({ branch, tag, rev }: SourceDefinition): GitReference {
  if (branch !== null) return { kind: 'branch', name: branch.value };
  if (tag !== null) return { kind: 'tag', name: tag.value };
  return rev === null ? { kind: 'default' } : { kind: 'rev', name: rev.value };
}

function readUrl(text: Located<string>, key: string): string {
  const place = describeDefinition(text.definition);
  return withContext(`configuration key \`${key}\` specified an invalid URL (in ${place})`, () =>
    parseUrl(text.value),
  );
}

function invalid(message: string): TsregError {
  return new TsregError(message, { code: 'config' });
}
