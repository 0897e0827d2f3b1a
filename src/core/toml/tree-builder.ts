/**
 * The tables of a TOML document during parsing, and the rules for adding to them. TOML: Table, Inline Table, Array of
 * Tables.
 */
import type { Span, SpanTable } from './spans.ts';
import { type ErrorReceiver, TomlSyntaxError } from './syntax-error.ts';
import type { TomlTable, TomlValue } from './value.ts';

// Flags: how a table was made, which decides what may add to it. A table with its own header has none.
/** Made by a longer key or header. If this is the only flag, one header may still open it. */
const IMPLICIT = 1;
/** Made by a dotted key. Other dotted keys may add to it, but no header may open it. */
const DOTTED = 2;
/** An inline table, or a table inside one. Nothing outside may add to it. */
const INLINE = 4;

/** One name of a key, and its place. */
export interface KeyPart extends Span {
  readonly name: string;
}

/**
 * A dotted key: the parts before the last one (null if none), and the last part. The parser extends it part by part.
 */
export interface Key {
  path: KeyPart[] | null;
  last: KeyPart;
}

/** A `[table]` or `[[table]]` header, and its place. */
export interface Header extends Span {
  readonly key: Key;
  readonly isArray: boolean;
}

/** A value, and its place. */
export interface PlacedValue extends Span {
  readonly value: TomlValue;
}

/**
 * A builder of the tables of a document. It stops at the first error, whether its own or reported to it, and keeps it
 * in `error`.
 */
export class TreeBuilder {
  /** The table that key-value pairs belong to. Only this class sets it. */
  current: TomlTable = new Map();
  /** The first error. Only this class sets it. */
  error: TomlSyntaxError | null = null;
  #root = this.current;
  readonly #spans: SpanTable | null;
  /** The flags of tables. A table without an entry is an inline table. */
  readonly #flags = new Map<TomlTable, number>([[this.current, 0]]);
  readonly #arraysOfTables = new Set<TomlValue[]>();
  /** The header of the open table; null for the root. */
  #header: Header | null = null;

  constructor(spans: SpanTable | null) {
    this.#spans = spans;
  }

  /** Notes a content error. */
  readonly report: ErrorReceiver = (message, start, end) => {
    this.error ??= new TomlSyntaxError(message, start, end);
  };

  /** Ends the document and returns its root. */
  finish(): TomlTable {
    this.finishTable();
    return this.#root;
  }

  /**
   * Begins a table. If deeper headers made it already, it leaves the tree until it is finished. `finishTable` must have
   * finished the table before it.
   */
  startTable(header: Header): void {
    this.#header = header;
    this.current = new Map();
    if (!header.isArray && this.error === null) {
      const { path, last } = header.key;
      const parent = path === null ? this.#root : this.#descend(this.#root, path, 'header');
      const existing = parent?.get(last.name);
      if (parent !== null && existing !== undefined) {
        if (!(existing instanceof Map) || this.#flagsOf(existing) !== IMPLICIT) {
          this.report('duplicate key', last.start, last.end);
          return;
        }
        parent.delete(last.name);
        this.current = existing;
      }
    }
    this.#flags.set(this.current, 0);
  }

  /** Adds the table that ends here to the tree. */
  finishTable(): void {
    const header = this.#header;
    if (header === null || this.error !== null) return;
    this.#header = null;
    const { path, last } = header.key;
    const parent = path === null ? this.#root : this.#descend(this.#root, path, 'header');
    if (parent === null) return;
    if (!header.isArray) {
      parent.set(last.name, this.current);
      this.#spans?.set(parent, last.name, { key: last, value: header });
      return;
    }
    const existing = parent.get(last.name);
    if (existing === undefined) {
      const array = [this.current];
      this.#arraysOfTables.add(array);
      parent.set(last.name, array);
      this.#spans?.set(parent, last.name, { key: last, value: header });
      this.#spans?.set(array, 0, { key: header, value: header });
    } else if (Array.isArray(existing) && this.#arraysOfTables.has(existing)) {
      this.#spans?.set(existing, existing.length, { key: header, value: header });
      existing.push(this.current);
    } else {
      this.report('duplicate key', last.start, last.end);
    }
  }

  /** Adds a value to a table that is being read: `current` or an open inline table. */
  setValue(table: TomlTable, key: Key, placed: PlacedValue): void {
    if (this.error !== null) return;
    const { path, last } = key;
    let parent: TomlTable | null = table;
    if (path !== null) {
      parent = this.#descend(table, path, 'dotted');
      if (parent === null) return;
      // A dotted key may add only to tables made by dotted keys.
      if ((this.#flagsOf(parent) & DOTTED) === 0) {
        this.report('duplicate key', last.start, last.end);
        return;
      }
    }
    if (parent.has(last.name)) {
      this.report('duplicate key', last.start, last.end);
      return;
    }
    parent.set(last.name, placed.value);
    this.#spans?.set(parent, last.name, { key: last, value: placed });
  }

  #flagsOf(table: TomlTable): number {
    return this.#flags.get(table) ?? INLINE;
  }

  /**
   * Returns the table at the end of a path, and makes missing ones. The path is part of a `header` or of a `dotted`
   * key. Reports tables that it may not enter, and then returns null.
   */
  #descend(from: TomlTable, path: readonly KeyPart[], key: 'header' | 'dotted'): TomlTable | null {
    let table = from;
    const isDotted = key === 'dotted';
    const isInline = (this.#flagsOf(from) & INLINE) !== 0;
    for (const part of path) {
      const next = table.get(part.name);
      if (next === undefined) {
        const implicit: TomlTable = new Map();
        this.#flags.set(implicit, IMPLICIT | (isDotted ? DOTTED : 0) | (isInline ? INLINE : 0));
        table.set(part.name, implicit);
        this.#spans?.set(table, part.name, { key: part, value: part });
        table = implicit;
        continue;
      }
      const isArrayOfTables = Array.isArray(next) && this.#arraysOfTables.has(next);
      const child = isArrayOfTables ? next.at(-1) : next;
      if (!(child instanceof Map)) {
        this.report(`cannot extend value of type ${typeName(next)} with a dotted key`, part.start, part.end);
        return null;
      }
      table = child;
      if (isArrayOfTables) continue;
      const flags = this.#flagsOf(child);
      if (!isInline && (flags & INLINE) !== 0) {
        this.report('cannot extend value of type inline table with a dotted key', part.start, part.end);
        return null;
      }
      if (isDotted && (flags & IMPLICIT) === 0) {
        this.report('duplicate key', part.start, part.end);
        return null;
      }
    }
    return table;
  }
}

/** Returns the type of a value as messages name it. */
function typeName(value: TomlValue): string {
  if (typeof value === 'bigint') return 'integer';
  if (typeof value === 'number') return 'float';
  if (typeof value === 'object') {
    if (Array.isArray(value)) return 'array';
    return value instanceof Map ? 'table' : 'datetime';
  }
  return typeof value;
}
