import type { DependencyGene, FeatureGene } from './genome.ts';
import { pick, pickOrNull } from './pick.ts';
import type { Mark } from './subjects.ts';

/** A package to depend on, in several versions. */
export interface Offer {
  readonly name: string;
  /** In order of publication, oldest first; not empty. */
  readonly versions: readonly OfferedVersion[];
  /** Its registry; null for crates.io. */
  readonly registry: string | null;
}

/** A version of an offer. */
export interface OfferedVersion {
  readonly version: string;
  readonly features: readonly string[];
  readonly dependencies: readonly Dependency[];
}

/** A dependency in the terms that manifests and index lines share. */
export interface Dependency {
  /** The name in the manifest. */
  readonly key: string;
  readonly offer: Offer;
  readonly isRenamed: boolean;
  readonly req: string;
  readonly kind: 'normal' | 'dev' | 'build';
  readonly optional: boolean;
  readonly default: boolean;
  readonly features: readonly string[];
  readonly target: string | null;
}

/** Keys of target tables. */
const platforms = [
  'cfg(unix)',
  'cfg(windows)',
  'x86_64-pc-windows-msvc',
  'cfg(not(unix))',
  'cfg(target_arch = "wasm32")',
  'cfg(all(unix, not(target_os = "macos")))',
  'cfg(any(target_os = "linux", windows))',
  'aarch64-apple-darwin',
  'cfg( any( ) )',
  'cfg(target_pointer_width = "64")',
  'cfg(all())',
  'cfg(target_family = "unix")',
];

const featureNames = ['default', 'f0', 'f1', 'std', 'x-y', '1z', 'a.b', 'full'];
const renames = ['new-name', 'other_name', 'Zz', 'dep-alias'];

/** Builds dependencies on the offers. Skips a second dependency with the same key and place. */
export function buildDependencies(
  genes: readonly DependencyGene[],
  offers: readonly Offer[],
): { dependencies: Dependency[]; marks: Mark[] } {
  const dependencies: Dependency[] = [];
  const marks: Mark[] = [];
  const taken = new Set<string>();
  const sources = new Map<string, string>();
  for (const gene of genes) {
    const offer = pickOrNull(offers, gene.on);
    if (offer === null) continue;
    const { version, features } = pick(offer.versions, gene.version);
    const kind = pick(['normal', 'normal', 'normal', 'build', 'dev'] as const, gene.kind);
    const isRenamed = gene.rename > 0;
    const key = isRenamed ? pick(renames, gene.rename) : offer.name;
    const target = gene.platform > 0 ? pick(platforms, gene.platform) : null;
    const place = `${key} ${kind} ${target}`;
    const source = sources.get(key) ?? offer.name;
    if (taken.has(place) || source !== offer.name) continue;
    // Two names for one package are an error later, which should be rare.
    const hasOtherName = dependencies.some((one) => one.offer.name === offer.name && one.key !== key);
    if (hasOtherName && gene.form % 7 !== 0) continue;
    taken.add(place);
    sources.set(key, offer.name);
    if (isRenamed) marks.push({ subject: 'renames', crate: null });
    if (target !== null) marks.push({ subject: 'target tables', crate: null });
    // Features are mostly ones that every version has, because most cases should resolve.
    const isCommon = (name: string): boolean => offer.versions.every((one) => one.features.includes(name));
    const named = features.filter((name) => name !== 'default' && (gene.form % 6 === 5 || isCommon(name)));
    dependencies.push({
      key,
      offer,
      isRenamed,
      req: requirement(version, gene.form),
      kind,
      optional: gene.optional && kind !== 'dev',
      default: !gene.noDefault,
      features: gene.features.flatMap((number) => pickOrNull(named, number) ?? []),
      target,
    });
  }
  return { dependencies, marks };
}

/** Returns a requirement that `version` usually meets. */
function requirement(version: string, form: number): string {
  const [plain = version] = version.split('+');
  const [numbers = plain] = plain.split('-');
  const [major = '0', minor = '0', patch = '0'] = numbers.split('.');
  if (plain !== numbers) return pick([plain, `=${plain}`, `>=${plain}`, `~${plain}`], form);
  return pick(
    [
      `${major}.${minor}.${patch}`,
      major === '0' ? `0.${minor}` : major,
      `${major}.${minor}`,
      `^${major}.${minor}.${patch}`,
      `~${major}.${minor}`,
      `=${numbers}`,
      `>=${numbers}`,
      '*',
      `>=${major}.${minor}, <${Number(major) + 1}`,
      `${major}.*`,
      `<=${numbers}`,
      `>=${numbers}, <${Number(major) + 3}`,
      major === '0' ? `0.${minor}` : major,
      `^${major}.${minor}`,
    ],
    form,
  );
}

/** Builds a feature table that is valid for `dependencies`. */
export function buildFeatures(
  genes: readonly FeatureGene[],
  dependencies: readonly Dependency[],
): { features: Record<string, string[]>; marks: Mark[] } {
  const names = [...new Set(genes.map((gene) => pick(featureNames, gene.name)))];
  const optional = dependencies.filter((one) => one.optional);
  // `dep:` hides the implicit feature of a name. Some names use it, and then in all places.
  const hidden = new Set(
    optional.filter((one, i) => (genes.length + i + one.key.length) % 3 === 0).map((one) => one.key),
  );
  const features: Record<string, string[]> = {};
  const marks: Mark[] = [];
  names.forEach((name, at) => {
    const gene = genes.find((one) => pick(featureNames, one.name) === name);
    const values: string[] = [];
    for (const { kind, a, b } of gene?.values ?? []) {
      const dependency = pickOrNull(dependencies, a);
      const choice = pickOrNull(optional, a);
      const inside = pickOrNull(
        (dependency?.offer.versions.at(-1)?.features ?? []).filter((text) => text !== 'default'),
        b,
      );
      const insideChoice = pickOrNull(
        (choice?.offer.versions.at(-1)?.features ?? []).filter((text) => text !== 'default'),
        b,
      );
      switch (kind % 6) {
        case 0: {
          const later = pickOrNull(names.slice(at + 1), a);
          if (later !== null) values.push(later);
          break;
        }
        case 1:
        case 2:
          if (choice !== null) {
            if (hidden.has(choice.key)) marks.push({ subject: 'dep:', crate: null });
            values.push(hidden.has(choice.key) ? `dep:${choice.key}` : choice.key);
          }
          break;
        case 3:
          if (choice !== null && insideChoice !== null) {
            marks.push({ subject: 'weak features', crate: null });
            values.push(`${choice.key}?/${insideChoice}`);
          }
          break;
        case 4:
          if (dependency !== null && dependency.kind !== 'dev' && inside !== null) {
            values.push(`${dependency.key}/${inside}`);
          }
          break;
        default:
          if (choice !== null && insideChoice !== null) values.push(`${choice.key}/${insideChoice}`);
      }
    }
    features[name] = values;
  });
  return { features, marks };
}
