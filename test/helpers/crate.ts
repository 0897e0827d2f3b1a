import { createHash } from 'node:crypto';
import { gzipStored, packTar, type TarEntry } from './tar.ts';

/** A dependency of a declared crate: `"name req"`, or in full. */
export type DependencyDecl =
  | string
  | {
      readonly name: string;
      readonly req?: string;
      readonly kind?: 'normal' | 'dev' | 'build';
      readonly optional?: boolean;
      readonly default?: boolean;
      readonly features?: readonly string[];
      readonly target?: string;
      /** The real name, if `name` is a new one. */
      readonly package?: string;
      /** Name of the registry, if it differs from the crate's registry. */
      readonly registry?: string;
    };

/** A published crate in short form. `buildCrate` generates the manifest, the archive and the index line from it. */
export interface CrateDecl {
  readonly name: string;
  readonly version: string;
  /** The crate's registry; `crates-io` by default. */
  readonly registry?: string;
  readonly deps?: readonly DependencyDecl[];
  readonly features?: Readonly<Record<string, readonly string[]>>;
  readonly links?: string;
  readonly yanked?: boolean;
  readonly rust_version?: string;
  readonly edition?: string;
  /** Lines at the end of `[package]`, or further tables. */
  readonly extra?: string;
  /** The whole manifest, instead of a generated one. */
  readonly manifest?: string;
  /** Files in addition to `Cargo.toml`; only `src/lib.rs` by default. */
  readonly files?: Readonly<Record<string, string>>;
  /** Fields that replace those of the index line, `{ cksum: "00" }` for example. */
  readonly index?: Readonly<Record<string, unknown>>;
  /** The whole index line, unchanged. */
  readonly index_line?: string;
  /** Additional archive entries with their full path, after the correct ones. `link` makes a symbolic link. */
  readonly entries?: readonly { readonly path: string; readonly text?: string; readonly link?: string }[];
  /** Replaces the archive: cut in half, not gzip, or missing. */
  readonly archive?: 'cut' | 'garbage' | 'missing';
}

/** Returns the index URL of a named registry, as manifests and index lines contain it. */
export type IndexUrlOf = (registry: string) => string;

/** A crate ready to be served. */
export interface BuiltCrate {
  readonly decl: CrateDecl;
  readonly manifest: string;
  readonly archive: Buffer | null;
  readonly checksum: string;
  readonly indexLine: string;
}

interface FullDependency {
  readonly name: string;
  readonly req: string;
  readonly kind: 'normal' | 'dev' | 'build';
  readonly optional: boolean;
  readonly default: boolean;
  readonly features: readonly string[];
  readonly target: string | null;
  readonly package: string | null;
  readonly registry: string | null;
}

/** Builds the manifest, archive and index line. The same declaration gives the same bytes. */
export function buildCrate(decl: CrateDecl, indexUrlOf: IndexUrlOf): BuiltCrate {
  const deps = (decl.deps ?? []).map(fullDependency);
  const manifest = decl.manifest ?? manifestOf(decl, deps, indexUrlOf);
  const archive = archiveOf(decl, manifest);
  const checksum = createHash('sha256').update(archive).digest('hex');
  const indexLine = decl.index_line ?? JSON.stringify(indexValueOf(decl, deps, checksum, indexUrlOf));
  const sent =
    decl.archive === 'missing'
      ? null
      : decl.archive === 'cut'
        ? archive.subarray(0, archive.length / 2)
        : archive;
  return { decl, manifest, archive: sent, checksum, indexLine };
}

/** Returns the files of a crate, without its manifest. */
export function filesOf(decl: CrateDecl): Readonly<Record<string, string>> {
  return decl.files ?? { 'src/lib.rs': '' };
}

/** Returns the path of a crate's index file in the index (The Cargo Book, "Registry Index"). */
export function indexPath(name: string): string {
  const lower = name.toLowerCase();
  if (lower.length === 1) return `1/${lower}`;
  if (lower.length === 2) return `2/${lower}`;
  if (lower.length === 3) return `3/${lower[0]}/${lower}`;
  return `${lower.slice(0, 2)}/${lower.slice(2, 4)}/${lower}`;
}

/** Returns the index files of many crates: path -> text. Lines are in the order of the crates. */
export function indexFiles(crates: readonly BuiltCrate[]): Map<string, string> {
  const files = new Map<string, string>();
  for (const crate of crates) {
    const file = indexPath(crate.decl.name);
    files.set(file, `${files.get(file) ?? ''}${crate.indexLine}\n`);
  }
  return files;
}

function fullDependency(decl: DependencyDecl): FullDependency {
  if (typeof decl === 'string') {
    const space = decl.indexOf(' ');
    const name = space < 0 ? decl : decl.slice(0, space);
    return fullDependency({ name, req: space < 0 ? '*' : decl.slice(space + 1) });
  }
  return {
    name: decl.name,
    req: decl.req ?? '*',
    kind: decl.kind ?? 'normal',
    optional: decl.optional ?? false,
    default: decl.default ?? true,
    features: decl.features ?? [],
    target: decl.target ?? null,
    package: decl.package ?? null,
    registry: decl.registry ?? null,
  };
}

function manifestOf(decl: CrateDecl, deps: readonly FullDependency[], indexUrlOf: IndexUrlOf): string {
  const lines = ['[package]', `name = ${quote(decl.name)}`, `version = ${quote(decl.version)}`];
  if (decl.edition !== '') lines.push(`edition = ${quote(decl.edition ?? '2021')}`);
  if (decl.rust_version !== undefined) lines.push(`rust-version = ${quote(decl.rust_version)}`);
  if (decl.links !== undefined) lines.push(`links = ${quote(decl.links)}`, 'build = "build.rs"');
  if (decl.extra !== undefined) lines.push(decl.extra);
  for (const dep of deps) {
    const table = { normal: 'dependencies', dev: 'dev-dependencies', build: 'build-dependencies' }[dep.kind];
    const prefix = dep.target === null ? '' : `target.${quote(dep.target)}.`;
    lines.push('', `[${prefix}${table}.${quote(dep.name)}]`, `version = ${quote(dep.req)}`);
    if (dep.package !== null) lines.push(`package = ${quote(dep.package)}`);
    const registry = dep.registry ?? decl.registry ?? 'crates-io';
    if (registry !== 'crates-io') lines.push(`registry-index = ${quote(indexUrlOf(registry))}`);
    if (dep.optional) lines.push('optional = true');
    if (!dep.default) lines.push('default-features = false');
    if (dep.features.length > 0) lines.push(`features = ${JSON.stringify(dep.features)}`);
  }
  if (decl.features !== undefined) {
    lines.push('', '[features]');
    for (const [name, values] of Object.entries(decl.features)) {
      lines.push(`${quote(name)} = ${JSON.stringify(values)}`);
    }
  }
  return `${lines.join('\n')}\n`;
}

function archiveOf(decl: CrateDecl, manifest: string): Buffer {
  if (decl.archive === 'garbage') return Buffer.from('this is not an archive');
  const root = `${decl.name}-${decl.version}`;
  const entries: TarEntry[] = [{ path: `${root}/Cargo.toml`, data: Buffer.from(manifest) }];
  const files = filesOf(decl);
  for (const [name, text] of Object.entries(files)) {
    entries.push({ path: `${root}/${name}`, data: Buffer.from(text) });
  }
  if (decl.links !== undefined && files['build.rs'] === undefined) {
    entries.push({ path: `${root}/build.rs`, data: Buffer.from('fn main() {}\n') });
  }
  for (const entry of decl.entries ?? []) {
    const data = Buffer.from(entry.text ?? '');
    entries.push(
      entry.link === undefined ? { path: entry.path, data } : { ...entry, data, link: entry.link },
    );
  }
  return gzipStored(packTar(entries));
}

function indexValueOf(
  decl: CrateDecl,
  deps: readonly FullDependency[],
  checksum: string,
  indexUrlOf: IndexUrlOf,
): Record<string, unknown> {
  const features: Record<string, readonly string[]> = {};
  const features2: Record<string, readonly string[]> = {};
  for (const [name, values] of Object.entries(decl.features ?? {})) {
    const isNew = values.some((value) => value.startsWith('dep:') || value.includes('?/'));
    (isNew ? features2 : features)[name] = values;
  }
  const hasNew = Object.keys(features2).length > 0;
  return {
    name: decl.name,
    vers: decl.version,
    deps: deps.map((dep) => ({
      name: dep.name,
      req: dep.req,
      features: dep.features,
      optional: dep.optional,
      default_features: dep.default,
      target: dep.target,
      kind: dep.kind,
      ...(dep.registry === null || dep.registry === (decl.registry ?? 'crates-io')
        ? {}
        : { registry: indexUrlOf(dep.registry) }),
      ...(dep.package === null ? {} : { package: dep.package }),
    })),
    cksum: checksum,
    features,
    ...(hasNew ? { features2, v: 2 } : {}),
    yanked: decl.yanked ?? false,
    ...(decl.links === undefined ? {} : { links: decl.links }),
    ...(decl.rust_version === undefined ? {} : { rust_version: decl.rust_version }),
    ...decl.index,
  };
}

function quote(text: string): string {
  return JSON.stringify(text);
}
