/** A fast reader of lock files as programs write them. */
import type { RawLockfile, RawPackage } from './raw-lockfile.ts';

// oxlint-disable-next-line no-control-regex
const CONTROL = /[\0-\x08\x0b-\x1f\x7f]/;
const BARE_KEY = /^[A-Za-z0-9_-]+$/;
const VERSION = /^version = ([1-9][0-9]{0,8})$/;

type Writable = { -readonly [K in keyof RawPackage]: RawPackage[K] };
type Table = 'none' | 'package' | 'metadata';

/** The tables of a lock file of the usual form; null for any other text, right or wrong. */
export function scanLockfile(text: string): RawLockfile | null {
  const unix = text.includes('\r') ? text.replaceAll('\r\n', '\n') : text;
  return unix.includes('\\') || CONTROL.test(unix) ? null : new Scanner(unix).scan();
}

/** Reads line by line; every method is false where a line is not of the usual form. */
class Scanner {
  readonly #text: string;
  #at = 0;
  #end = 0;
  #version: number | null = null;
  readonly #packages: Writable[] = [];
  readonly #unusedPatches: Writable[] = [];
  readonly #metadata = new Map<string, string>();
  #table: Table = 'none';
  #hasMetadata = false;
  #package = emptyPackage();

  constructor(text: string) {
    this.#text = text;
  }

  scan(): RawLockfile | null {
    for (; this.#nextLine(); this.#at = this.#end + 1) {
      if (!this.#readLine()) return null;
    }
    const packages = this.#packages;
    const unusedPatches = this.#unusedPatches;
    if (!packages.every(isWhole) || !unusedPatches.every(isWhole)) return null;
    return { version: this.#version, root: null, packages, unusedPatches, metadata: this.#metadata };
  }

  #nextLine(): boolean {
    if (this.#at >= this.#text.length) return false;
    const newline = this.#text.indexOf('\n', this.#at);
    this.#end = newline === -1 ? this.#text.length : newline;
    return true;
  }

  #readLine(): boolean {
    if (this.#at === this.#end) return true;
    switch (this.#text.charCodeAt(this.#at)) {
      case 0x23: // #
        return true;
      case 0x5b: // [
        return this.#readHeader(this.#text.slice(this.#at, this.#end));
      default:
        break;
    }
    switch (this.#table) {
      case 'package':
        return this.#readPackageLine();
      case 'metadata':
        return this.#readMetadataLine();
      case 'none': {
        const version = VERSION.exec(this.#text.slice(this.#at, this.#end))?.[1];
        if (version === undefined || this.#version !== null) return false;
        this.#version = Number(version);
        return true;
      }
    }
  }

  #readHeader(header: string): boolean {
    if (header === '[metadata]' && !this.#hasMetadata) {
      this.#hasMetadata = true;
      this.#table = 'metadata';
      return true;
    }
    if (header !== '[[package]]' && header !== '[[patch.unused]]') return false;
    this.#package = emptyPackage();
    (header === '[[package]]' ? this.#packages : this.#unusedPatches).push(this.#package);
    this.#table = 'package';
    return true;
  }

  #readPackageLine(): boolean {
    const entry = this.#package;
    const text = this.#text;
    const at = this.#at;
    if (text.startsWith('name = ', at)) {
      return entry.name === '' && (entry.name = this.#quoted(at + 7) ?? '') !== '';
    }
    if (text.startsWith('version = ', at)) {
      return entry.version === '' && (entry.version = this.#quoted(at + 10) ?? '') !== '';
    }
    if (text.startsWith('source = ', at)) {
      return entry.source === null && (entry.source = this.#quoted(at + 9)) !== null;
    }
    if (text.startsWith('checksum = ', at)) {
      return entry.checksum === null && (entry.checksum = this.#quoted(at + 11)) !== null;
    }
    if (text.startsWith('replace = ', at)) {
      return entry.replace === null && (entry.replace = this.#quoted(at + 10)) !== null;
    }
    return text.startsWith('dependencies = [', at) && this.#end === at + 16 && this.#readDependencies(entry);
  }

  #readDependencies(entry: Writable): boolean {
    if (entry.dependencies !== null) return false;
    const dependencies: string[] = [];
    entry.dependencies = dependencies;
    for (;;) {
      this.#at = this.#end + 1;
      if (!this.#nextLine()) return false;
      const first = this.#text.charCodeAt(this.#at);
      if (first === 0x5d) return this.#end === this.#at + 1;
      if (first !== 0x20 || this.#text.charCodeAt(this.#end - 1) !== 0x2c) return false;
      this.#end -= 1;
      const dependency = this.#quoted(this.#at + 1);
      this.#end += 1;
      if (dependency === null) return false;
      dependencies.push(dependency);
    }
  }

  #readMetadataLine(): boolean {
    const isQuoted = this.#text.charCodeAt(this.#at) === 0x22;
    const start = isQuoted ? this.#at + 1 : this.#at;
    const keyEnd = this.#text.indexOf(isQuoted ? '" = ' : ' = ', start);
    if (keyEnd === -1 || keyEnd > this.#end) return false;
    const key = this.#text.slice(start, keyEnd);
    const value = this.#quoted(keyEnd + (isQuoted ? 4 : 3));
    const isUsual = isQuoted ? !key.includes('"') : BARE_KEY.test(key);
    if (value === null || !isUsual || this.#metadata.has(key)) return false;
    this.#metadata.set(key, value);
    return true;
  }

  /** The string from `start` to the end of the line. */
  #quoted(start: number): string | null {
    const last = this.#end - 1;
    if (last <= start || this.#text.charCodeAt(start) !== 0x22) return null;
    return this.#text.indexOf('"', start + 1) === last ? this.#text.slice(start + 1, last) : null;
  }
}

function emptyPackage(): Writable {
  return { name: '', version: '', source: null, checksum: null, dependencies: null, replace: null };
}

function isWhole({ name, version }: RawPackage): boolean {
  return name !== '' && version !== '';
}
