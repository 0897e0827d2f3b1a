import { createHash } from 'node:crypto';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type BuiltCrate, filesOf, indexFiles } from './crate.ts';

/** Writes a local registry (The Cargo Book, "Source Replacement"): index files and archives side by side. */
export function writeLocalRegistry(dir: string, crates: readonly BuiltCrate[]): void {
  mkdirSync(path.join(dir, 'index'), { recursive: true });
  for (const [name, text] of indexFiles(crates)) {
    const file = path.join(dir, 'index', name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  for (const crate of crates) {
    const file = path.join(dir, `${crate.decl.name}-${crate.decl.version}.crate`);
    if (crate.archive === null) rmSync(file, { force: true });
    else writeFileSync(file, crate.archive);
  }
}

/** Writes a directory source (The Cargo Book, "Source Replacement"), in the form that `vendor` writes. */
export function writeDirectorySource(dir: string, crates: readonly BuiltCrate[]): void {
  for (const crate of crates) {
    const root = path.join(dir, `${crate.decl.name}-${crate.decl.version}`);
    const contents: Record<string, string> = { 'Cargo.toml': crate.manifest, ...filesOf(crate.decl) };
    if (crate.decl.links !== undefined) contents['build.rs'] ??= 'fn main() {}\n';
    const files: Record<string, string> = {};
    for (const [name, text] of Object.entries(contents)) {
      const file = path.join(root, name);
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, text);
      files[name] = createHash('sha256').update(text).digest('hex');
    }
    writeFileSync(
      path.join(root, '.cargo-checksum.json'),
      JSON.stringify({ files, package: crate.checksum }),
    );
  }
}
