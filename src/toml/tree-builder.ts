/** The tables of a TOML document while it is read: who may add to which. TOML: Table, Inline Table, Array of Tables. */
import type { Span, SpanTable } from './spans.ts';
import { TomlSyntaxError } from './syntax-error.ts';
import type { TomlTable, TomlValue } from './value.ts';

// How a table was made, which decides who may add to it.
const IMPLICIT = 1;
const DOTTED = 2;
const INLINE = 4;

/** One name of a key, and where it stands. */
export interface KeyPart extends Span {
  readonly name: string;
}

/** A dotted key: the tables it goes through (null for none), and the last name. */
export interface Key {
  path: KeyPart[] | null;
  last: KeyPart;
}

/** A `[table]` or `[[table]]` header, and where it stands. */
export interface Header extends Span {
  readonly key: Key;
  readonly isArray: boolean;
}

/** A value, and where it stands. */
export interface PlacedValue extends Span {
  readonly value: TomlValue;
}

/**
 * Builds the tree. The first error, its own or one that is reported to it, ends the building; `error` is that
 * one.
 */
export class TreeBuilder {
  /** The table that key-value pairs belong to. */
  current: TomlTable = new Map();
  error: TomlSyntaxError | null = null;
  #root = this.current;
  readonly #spans: SpanTable | null;
  /** Flags of the tables that are not closed inline tables. */
  readonly #flags = new Map<TomlTable, number>([[this.current, 0]]);
  readonly #arraysOfTables = new Set<TomlValue[]>();
  #header: Header | null = null;

  constructor(spans: SpanTable | null) {
    this.#spans = spans;
  }

  /** Notes an error of content. */
  readonly report = (message: string, start: number, end: number): void => {
    this.error ??= new TomlSyntaxError(message, start, end);
  };

  /** Ends the document. */
  finish(): TomlTable {
    this.finishTable();
    return this.#root;
  }

  /** Begins a table; what was known of it from deeper headers is taken out of the tree until it is finished. */
  startTable(header: Header): void {
    this.#header = header;
    this.current = new Map();
    if (!header.isArray && this.error === null) {
      const { path, last } = header.key;
      const parent = path === null ? this.#root : this.#descend(this.#root, path, false);
      const old = parent?.get(last.name);
      if (parent !== null && old !== undefined) {
        if (!(old instanceof Map) || this.#flagsOf(old) !== IMPLICIT) {
          this.report('duplicate key', last.start, last.end);
          return;
        }
        parent.delete(last.name);
        this.current = old;
      }
    }
    this.#flags.set(this.current, 0);
  }

  /** Puts the table that ends here into the tree. */
  finishTable(): void {
    const header = this.#header;
    if (header === null || this.error !== null) return;
    this.#header = null;
    const { path, last } = header.key;
    const parent = path === null ? this.#root : this.#descend(this.#root, path, false);
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

  /** Puts a value into a table that is being read: `current` or an open inline table. */
  setValue(table: TomlTable, key: Key, placed: PlacedValue): void {
    if (this.error !== null) return;
    const { path, last } = key;
    let parent: TomlTable | null = table;
    if (path !== null) {
      parent = this.#descend(table, path, true);
      if (parent === null) return;
      // A dotted key may only add to tables that dotted keys made.
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

  /** Follows a path, making tables that are not there. Null after an error. */
  #descend(from: TomlTable, path: readonly KeyPart[], isDotted: boolean): TomlTable | null {
    let table = from;
    const isInline = (this.#flagsOf(from) & INLINE) !== 0;
    for (const part of path) {
      const next = table.get(part.name);
      if (next === undefined) {
        const made: TomlTable = new Map();
        this.#flags.set(made, IMPLICIT | (isDotted ? DOTTED : 0) | (isInline ? INLINE : 0));
        table.set(part.name, made);
        this.#spans?.set(table, part.name, { key: part, value: part });
        table = made;
        continue;
      }
      let found: TomlValue | undefined = next;
      if (Array.isArray(next) && this.#arraysOfTables.has(next)) found = next.at(-1);
      if (!(found instanceof Map)) {
        this.report(`cannot extend value of type ${typeName(next)} with a dotted key`, part.start, part.end);
        return null;
      }
      if (found !== next) {
        table = found;
        continue;
      }
      const flags = this.#flagsOf(found);
      if (!isInline && (flags & INLINE) !== 0) {
        this.report('cannot extend value of type inline table with a dotted key', part.start, part.end);
        return null;
      }
      if (isDotted && (flags & IMPLICIT) === 0) {
        this.report('duplicate key', part.start, part.end);
        return null;
      }
      table = found;
    }
    return table;
  }
}

function typeName(value: TomlValue): string {
  if (typeof value === 'bigint') return 'integer';
  if (typeof value === 'number') return 'float';
  if (typeof value === 'object') {
    if (Array.isArray(value)) return 'array';
    return value instanceof Map ? 'table' : 'datetime';
  }
  return typeof value;
}
