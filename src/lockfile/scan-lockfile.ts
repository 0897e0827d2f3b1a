/** A fast reader of lock files as programs write them. */
import type { RawLockfile, RawPackage } from './raw-lockfile.ts';

/** What only the whole of TOML explains: escapes, control characters, multi-line and literal strings. */
// oxlint-disable-next-line no-control-regex
const UNUSUAL = /[\\'\0-\x08\x0b\x0c\x0e-\x1f\x7f]|"""|\r(?!\n)/;
const STRING_LINE = /^(name|version|source|checksum|replace) = "([^"]*)"$/;
const METADATA_LINE = /^(?:"([^"]*)"|([A-Za-z0-9_-]+)) = "([^"]*)"$/;
const VERSION_LINE = /^version = ([0-9]{1,9})$/;
const DEPENDENCY_LINE = /^ "([^"]*)",$/;

type Writable = { -readonly [K in keyof RawPackage]: RawPackage[K] };
type Table = { readonly kind: 'root' | 'metadata' } | { readonly kind: 'package'; readonly of: Writable };

/** The tables of a lock file of the usual form; null for any other text, right or wrong. */
export function scanLockfile(text: string): RawLockfile | null {
  if (UNUSUAL.test(text)) return null;
  const packages: Writable[] = [];
  const unusedPatches: Writable[] = [];
  const metadata = new Map<string, string>();
  let version: number | null = null;
  let table: Table = { kind: 'root' };
  let hasMetadata = false;
  const lines = text.split('\n');
  for (let at = 0; at < lines.length; at++) {
    const line = withoutReturn(lines[at] ?? '');
    if (line === '' || line.startsWith('#')) continue;
    if (line === '[[package]]' || line === '[[patch.unused]]') {
      const of = emptyPackage();
      (line === '[[package]]' ? packages : unusedPatches).push(of);
      table = { kind: 'package', of };
      continue;
    }
    if (line === '[metadata]') {
      if (hasMetadata) return null;
      hasMetadata = true;
      table = { kind: 'metadata' };
      continue;
    }
    if (table.kind === 'package') {
      if (line === 'dependencies = [') {
        if (table.of.dependencies !== null) return null;
        const dependencies: string[] = [];
        for (at++; ; at++) {
          const item = withoutReturn(lines[at] ?? '');
          if (item === ']') break;
          const name = DEPENDENCY_LINE.exec(item)?.[1];
          if (name === undefined) return null;
          dependencies.push(name);
        }
        table.of.dependencies = dependencies;
        continue;
      }
      if (!readString(line, table.of)) return null;
      continue;
    }
    if (table.kind === 'metadata') {
      const [, quoted, bare, value] = METADATA_LINE.exec(line) ?? [];
      const key = quoted ?? bare;
      if (key === undefined || value === undefined || metadata.has(key)) return null;
      metadata.set(key, value);
      continue;
    }
    const number = VERSION_LINE.exec(line)?.[1];
    if (number === undefined || version !== null || /^0./.test(number)) return null;
    version = Number(number);
  }
  const isWhole = [...packages, ...unusedPatches].every((entry) => entry.name !== '' && entry.version !== '');
  return isWhole ? { version, root: null, packages, unusedPatches, metadata } : null;
}

function readString(line: string, table: Writable): boolean {
  const [, key, value] = STRING_LINE.exec(line) ?? [];
  if (key === undefined || value === undefined) return false;
  switch (key) {
    case 'name':
      if (table.name !== '') return false;
      table.name = value;
      return true;
    case 'version':
      if (table.version !== '') return false;
      table.version = value;
      return true;
    case 'source':
      if (table.source !== null) return false;
      table.source = value;
      return true;
    case 'checksum':
      if (table.checksum !== null) return false;
      table.checksum = value;
      return true;
    default:
      if (table.replace !== null) return false;
      table.replace = value;
      return true;
  }
}

function emptyPackage(): Writable {
  return { name: '', version: '', source: null, checksum: null, dependencies: null, replace: null };
}

function withoutReturn(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line;
}
