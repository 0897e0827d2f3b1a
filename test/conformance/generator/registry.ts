import type { CrateDecl } from '../../helpers/crate.ts';
import { buildDependencies, buildFeatures, type Offer, type OfferedVersion } from './dependencies.ts';
import type { CrateGene } from './genome.ts';
import { pick } from './pick.ts';
import type { Mark } from './subjects.ts';

const names = ['aa', 'bb', 'cc-dd', 'ee_ff', 'Gg', 'h', 'iii', 'jjjj-1'];

/** Crates of a generated registry: those published immediately, and those published `later`. */
export interface GeneratedRegistry {
  readonly crates: readonly CrateDecl[];
  readonly later: readonly CrateDecl[];
  readonly offers: readonly Offer[];
  readonly marks: readonly Mark[];
}

/**
 * Builds crates that depend only on crates after them in the list, so there are no cycles. If a crate has three or more
 * versions, the last one is published later.
 */
export function buildRegistry(genes: readonly CrateGene[]): GeneratedRegistry {
  const crates: CrateDecl[] = [];
  const later: CrateDecl[] = [];
  const offers: Offer[] = [];
  const marks: Mark[] = [];
  for (let at = Math.min(genes.length, names.length) - 1; at >= 0; at -= 1) {
    const gene = genes[at];
    const name = names[at];
    if (gene === undefined || name === undefined) continue;
    const registry = gene.registry > 0 ? pick(['alt', 'other', 'alt'], gene.registry) : null;
    const versions: OfferedVersion[] = [];
    const decls: CrateDecl[] = [];
    // Usually one version is not yanked, because most cases should resolve.
    const yankable = gene.versions.length > 1 || gene.first % 4 === 0;
    let version = pick(['1.0.0', '0.1.0', '0.0.1', '1.2.3', '2.0.0-rc.1', '0.3.0+b.1'], gene.first);
    gene.versions.forEach((one, index) => {
      if (index > 0) version = bumped(version, one.bump);
      if (decls.some((known) => known.version === version)) return;
      const isYanked = one.yanked && yankable;
      // crates.io accepts no dependencies on other registries; other registries may have both.
      const reachable = offers.filter((offer) => offer.registry === null || registry !== null);
      const built = buildDependencies(one.deps, reachable);
      const { features, marks: featureMarks } = buildFeatures(one.features, built.dependencies);
      for (const mark of [...built.marks, ...featureMarks]) marks.push({ ...mark, crate: name });
      if (isYanked) marks.push({ subject: 'yanked', crate: name });
      if (one.links > 0) marks.push({ subject: 'links', crate: name });
      if (one.rust > 0) marks.push({ subject: 'rust-version', crate: name });
      if (version.includes('-')) marks.push({ subject: 'pre-release', crate: name });
      if (version.includes('+')) marks.push({ subject: 'build metadata', crate: name });
      if (registry !== null) marks.push({ subject: 'alternative registry', crate: name });
      const isOther = ({ offer }: { offer: Offer }): boolean => offer.registry !== registry;
      if (built.dependencies.some(isOther)) marks.push({ subject: 'crate on another registry', crate: name });
      if (!isYanked) {
        versions.push({ version, features: Object.keys(features), dependencies: built.dependencies });
      }
      const targets = pick(registryTargets, one.kind);
      decls.push({
        name,
        version,
        ...(registry === null ? {} : { registry }),
        ...(isYanked ? { yanked: true } : {}),
        ...(one.links > 0 ? { links: pick(['native', 'zlib', name], one.links) } : {}),
        ...(one.rust > 0 && targets.edition !== '2024'
          ? { rust_version: pick(['1.56', '1.70', '1.80.1', '1.99'], one.rust) }
          : {}),
        ...targets,
        deps: built.dependencies.map((dependency) => ({
          name: dependency.key,
          ...(dependency.isRenamed ? { package: dependency.offer.name } : {}),
          req: dependency.req,
          kind: dependency.kind,
          ...(dependency.optional ? { optional: true } : {}),
          ...(dependency.default ? {} : { default: false }),
          ...(dependency.features.length === 0 ? {} : { features: dependency.features }),
          ...(dependency.target === null ? {} : { target: dependency.target }),
          ...((dependency.offer.registry ?? 'crates-io') === (registry ?? 'crates-io')
            ? {}
            : { registry: dependency.offer.registry ?? 'crates-io' }),
        })),
        features,
      });
    });
    const held = decls.length > 2 ? decls.pop() : undefined;
    if (held !== undefined) {
      later.push(held);
      if (versions.at(-1)?.version === held.version) versions.pop();
    }
    crates.push(...decls);
    const all = decls.map(({ version: only }) => ({ version: only, features: [], dependencies: [] }));
    if (decls.length > 0) offers.push({ name, versions: versions.length > 0 ? versions : all, registry });
  }
  return { crates, later, offers, marks };
}

/** The archive content of a crate besides its manifest. */
const registryTargets: readonly Pick<CrateDecl, 'files' | 'extra' | 'edition'>[] = [
  {},
  {},
  {},
  { files: { 'src/lib.rs': '', 'src/main.rs': '', 'examples/e.rs': '', 'README.md': '' } },
  { extra: 'description = "d"\nlicense = "MIT"\n[lib]\nproc-macro = true' },
  { extra: '[lib]\nname = "lib_name"\ncrate-type = ["cdylib", "rlib"]' },
  { files: { 'src/lib.rs': '', 'tests/t.rs': '', 'benches/b.rs': '', 'build.rs': '' }, edition: '2018' },
  { edition: '', files: { 'src/lib.rs': '' } },
  { extra: 'readme = "R.md"\nlicense-file = "L"\n[package.metadata.docs]\nall = true\nn = 1.5' },
  {},
  { edition: '2018' },
  { files: { 'src/main.rs': '' } },
  { edition: '2024', extra: '' },
];

/** Returns the next version. */
function bumped(version: string, bump: number): string {
  const [numbers = ''] = version.split(/[-+]/);
  const [major = 0, minor = 0, patch = 0] = numbers.split('.').map(Number);
  switch (bump % 9) {
    case 0:
    case 1:
      return `${major}.${minor}.${patch + 1}`;
    case 2:
    case 3:
      return `${major}.${minor + 1}.0`;
    case 4:
    case 5:
      return `${major + 1}.0.0`;
    case 6:
      return `${major}.${minor}.${patch + 1}-beta.${(bump % 11) + 1}`;
    case 7:
      return `${major}.${minor}.${patch}+${bump}`;
    default:
      return `${major}.${minor + 1}.0-rc.1`;
  }
}
