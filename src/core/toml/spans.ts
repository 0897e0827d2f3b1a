/** The places of keys and values in a document. */
import type { TomlTable, TomlValue } from './value.ts';

/** UTF-16 offsets into a text; `end` is exclusive. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** The spans of one entry. Both are the same for an element of an array. */
interface Spans {
  readonly key: Span;
  readonly value: Span;
}

/** The spans of the entries of tables and arrays, by the object of the table or array itself. */
export class SpanTable {
  readonly #entries = new Map<TomlTable | TomlValue[], Map<string | number, Spans>>();

  /** Stores the spans of the entry `key` of a table or an array. */
  set(container: TomlTable | TomlValue[], key: string | number, spans: Spans): void {
    let entries = this.#entries.get(container);
    if (entries === undefined) {
      entries = new Map();
      this.#entries.set(container, entries);
    }
    entries.set(key, spans);
  }

  /** Returns the spans of the last entry on a path from `root`; null if the path is empty or leads nowhere. */
  find(root: TomlTable, path: readonly (string | number)[]): Spans | null {
    let value: TomlValue | undefined = root;
    let spans: Spans | null = null;
    for (const step of path) {
      if (value instanceof Map) {
        spans = this.#entries.get(value)?.get(step) ?? null;
        value = typeof step === 'string' ? value.get(step) : undefined;
      } else if (Array.isArray(value)) {
        spans = this.#entries.get(value)?.get(step) ?? null;
        value = typeof step === 'number' ? value[step] : undefined;
      } else return null;
      if (spans === null) return null;
    }
    return spans;
  }
}
