/** Opens the sources of a catalog, each one once. */
import type { SourceId } from '../../core/package-id/source-id.ts';
import { makeSource, type SourceSurroundings } from './make-source.ts';
import type { Source } from './source.ts';
import type { SourceReplacement } from './source-replacement.ts';

/** The sources that a catalog has opened. */
export class OpenSources {
  /**
   * Sources that must query their origin before their next load: a query was for all versions, and the data on disk may
   * be too old for that.
   */
  readonly outdated = new Set<Source>();
  readonly #replacement: SourceReplacement;
  readonly #surroundings: SourceSurroundings;
  /** By key of the original source. */
  readonly #byKey = new Map<string, Source>();
  /** Git sources that follow a reference, by key without the commit. They also serve pinned sources. */
  readonly #unpinned = new Map<string, Source>();

  constructor(replacement: SourceReplacement, surroundings: SourceSurroundings) {
    this.#replacement = replacement;
    this.#surroundings = surroundings;
  }

  /** Returns the source of `id`'s packages. Throws with cargo's message if there can be none. */
  open(id: SourceId): Source {
    const opened = this.#unpinned.get(id.unpinnedKey) ?? this.#byKey.get(id.key);
    if (opened !== undefined) return opened;
    const source = makeSource(id, this.#replacement.actualOf(id), this.#surroundings);
    this.add(source);
    if (id.kind === 'git' && id.precise === null) this.#unpinned.set(id.unpinnedKey, source);
    return source;
  }

  /** Like `open`, but returns null instead of an error. `open` throws it again when the source is loaded. */
  tryOpen(id: SourceId): Source | null {
    try {
      return this.open(id);
    } catch {
      return null;
    }
  }

  /** From now on, `open` returns the source of `id` for every commit of its repository. Returns that source. */
  unpin(id: SourceId): Source {
    const source = this.open(id);
    if (id.kind === 'git') this.#unpinned.set(id.unpinnedKey, source);
    return source;
  }

  /** Adds a source, or replaces the one with the same original source. */
  add(source: Source): void {
    this.#byKey.set(source.original.key, source);
  }

  /** Returns all sources in the order of their first use. */
  all(): Iterable<Source> {
    return this.#byKey.values();
  }
}
