import type { CrateDecl } from '../../helpers/crate.ts';
import { pick } from '../generator/pick.ts';
import type { MemberGene } from './genome.ts';
import type { PackageSubject } from './subjects.ts';

/** A member that another one may depend on. */
export interface Sibling {
  readonly name: string;
  readonly version: string;
  /** Its path from the package that depends on it. */
  readonly path: string;
  /** The registry of its publishes; null for the default one. */
  readonly registry: string | null;
}

/** Crates to depend on. */
export const dependencyCrates: readonly CrateDecl[] = [
  { name: 'aa', version: '1.0.0' },
  { name: 'aa', version: '1.2.0', deps: ['bb ^0.3'] },
  { name: 'bb', version: '0.3.1', features: { x: [], y: ['x'], default: ['y'] } },
  { name: 'bb', version: '0.3.0', features: { x: [] }, yanked: true },
  { name: 'gg', version: '0.1.0' },
  { name: 'gg', version: '0.1.2', registry: 'alt' },
  { name: 'pp', version: '0.1.0', deps: ['aa ^1'] },
  { name: 'cc', version: '1.0.0', registry: 'alt', deps: ['dd ^1'] },
  { name: 'dd', version: '1.0.5', registry: 'alt' },
];

/** `[workspace.dependencies]` that members may inherit. */
export const sharedDependencies = [
  'aa = { version = "1", features = [] }',
  'bb = { version = "0.3", default-features = false, features = ["x"] }',
  'pp = { path = "$W/pp", version = "0.1" }',
].join('\n');

interface Offer {
  readonly subject: PackageSubject;
  readonly line: string;
  /** Only a dev-dependency, because it has no version. */
  readonly isDev?: boolean;
  readonly isShared?: boolean;
}

const offers: readonly Offer[] = [
  { subject: 'registry dependency', line: 'aa = "1"' },
  {
    subject: 'registry dependency',
    line: 'bb = { version = "0.3", default-features = false, features = ["x"] }',
  },
  { subject: 'renamed dependency', line: 'aa2 = { package = "aa", version = "=1.0.0", optional = true }' },
  { subject: 'dependency on another registry', line: 'cc = { version = "1", registry = "alt" }' },
  { subject: 'git dependency', line: 'gg = { git = "file://$G/gg", version = "0.1" }' },
  {
    subject: 'git dependency',
    line: 'gg = { git = "file://$G/gg", branch = "main", version = "0.1.0", features = [] }',
  },
  {
    subject: 'git dependency on a registry',
    line: 'gg = { git = "file://$G/gg", version = "0.1", registry = "alt" }',
  },
  { subject: 'path dependency', line: 'pp = { path = "$U/pp", version = "0.1" }' },
  { subject: 'dependency without version', line: 'pp = { path = "$U/pp" }', isDev: true },
  { subject: 'inherited dependency', line: 'aa.workspace = true', isShared: true },
  {
    subject: 'inherited dependency',
    line: 'bb = { workspace = true, optional = true, features = ["y"] }',
    isShared: true,
  },
  { subject: 'inherited dependency', line: 'pp = { workspace = true }', isShared: true },
  {
    subject: 'inherited default features',
    line: 'aa = { workspace = true, default-features = false }',
    isShared: true,
  },
  {
    subject: 'inherited default features',
    line: 'bb = { workspace = true, default-features = true }',
    isShared: true,
  },
  { subject: 'dependency without version', line: 'gg = { git = "file://$G/gg" }', isDev: true },
  { subject: 'registry dependency', line: 'bb = { version = "0.3.1", optional = true }' },
  { subject: 'renamed dependency', line: '"b-b" = { package = "bb", version = ">=0.3, <0.4" }' },
];

const places = [
  'dependencies',
  'dev-dependencies',
  'build-dependencies',
  'dependencies',
  "target.'cfg(unix)'.dependencies",
  'target."x86_64-pc-windows-msvc".build-dependencies',
  `target.'cfg(any(windows, target_os = "macos"))'.dev-dependencies`,
  'dependencies',
];

/** Returns the tables of dependencies and features of a package. */
export function dependenciesOf(
  gene: MemberGene,
  around: { readonly siblings: readonly Sibling[]; readonly hasWorkspace: boolean },
): { readonly tables: string[]; readonly marks: PackageSubject[] } {
  const marks: PackageSubject[] = [];
  const tables = new Map<string, Map<string, string>>();
  const optional = new Set<string>();
  const sources = new Map<string, string>();
  for (const { what, table } of gene.deps) {
    const sibling = what % 3 === 0 ? around.siblings[what % Math.max(1, around.siblings.length)] : undefined;
    const offer = sibling === undefined ? pick(offers, what) : siblingOffer(sibling, table);
    if (offer.isShared === true && !around.hasWorkspace) continue;
    const place = offer.isDev === true ? 'dev-dependencies' : pick(places, table);
    const key = (/^"?([\w-]+)/.exec(offer.line) ?? [])[1] ?? '';
    // A name refers to the same package in all tables.
    if ((sources.get(key) ?? offer.line) !== offer.line) continue;
    const isOptional = offer.line.includes('optional = true');
    if (isOptional && place.endsWith('dev-dependencies')) continue;
    sources.set(key, offer.line);
    const lines = tables.get(place) ?? new Map<string, string>();
    tables.set(place, lines.set(key, offer.line));
    if (isOptional) optional.add(key);
    marks.push(offer.subject);
    if (place.endsWith('dev-dependencies')) marks.push('dev-dependency');
    if (place.endsWith('build-dependencies')) marks.push('build-dependency');
    if (place.startsWith('target')) marks.push('target table');
  }
  const text = [...tables].map(([place, lines]) => `[${place}]\n${[...lines.values()].join('\n')}`);
  if (gene.deps.length % 4 === 3 && !tables.has('dev-dependencies')) text.push('[dev-dependencies]');
  const features = featuresOf(gene, optional, sources);
  if (features.length > 0) {
    marks.push('features');
    text.push(`[features]\n${features.join('\n')}`);
  }
  return { tables: text, marks };
}

function siblingOffer(sibling: Sibling, number: number): Offer {
  const fields = [`path = "${sibling.path}"`];
  const isDev = number % 11 === 10;
  if (!isDev) fields.push(`version = "${number % 2 === 0 ? '' : '='}${sibling.version.split('+')[0]}"`);
  if (!isDev && sibling.registry !== null) fields.push(`registry = "${sibling.registry}"`);
  const line = `${sibling.name} = { ${fields.join(', ')} }`;
  return { subject: 'dependency between members', line, ...(isDev ? { isDev } : {}) };
}

function featuresOf(
  gene: MemberGene,
  optional: ReadonlySet<string>,
  sources: ReadonlyMap<string, string>,
): string[] {
  // A target of the generator requires this feature.
  const lines = ['f0 = []'];
  const named = new Set(['f0']);
  const add = (name: string, value: readonly string[]): void => {
    if (named.has(name) || optional.has(name)) return;
    named.add(name);
    lines.push(`${name} = ${JSON.stringify(value)}`);
  };
  for (const number of gene.features) {
    const [first] = optional;
    const isPresent = sources.has('bb');
    if (number % 5 === 0) add('default', ['f0']);
    else if (number % 5 === 1 && first !== undefined) add('with', [`dep:${first}`]);
    else if (number % 5 === 2 && isPresent) add('more', ['bb/x', 'f0']);
    else if (number % 5 === 3 && optional.has('bb')) add('weak', ['bb?/x']);
    else add('Zed-1', []);
  }
  return gene.features.length === 0 && !gene.targets.some((target) => target % 16 === 10) ? [] : lines;
}
