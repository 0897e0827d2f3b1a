import type { CommitDecl } from '../../helpers/git-repo.ts';
import { buildDependencies, type Dependency, type Offer } from './dependencies.ts';
import type { Genome, PatchGene } from './genome.ts';
import { dependencyTables } from './manifest-text.ts';
import { pick, pickOrNull } from './pick.ts';
import type { Mark } from './subjects.ts';

/** The overrides that replace crates by other packages. */
export interface GeneratedOverrides {
  /** `[patch]` and `[replace]` of the root manifest. */
  readonly table: string;
  /** `paths` of the configuration, which comes before every table; empty without it. */
  readonly paths: string;
  /** `[patch]` of the configuration. */
  readonly config: string;
  readonly files: Readonly<Record<string, string>>;
  readonly git: Readonly<Record<string, readonly CommitDecl[]>>;
  readonly marks: readonly Mark[];
}

interface Replacement {
  readonly offer: Offer;
  readonly version: string;
  readonly dependencies: readonly Dependency[];
}

/** Builds the overrides of a genome, and the packages that they name. */
export function buildOverrides(genome: Genome, offers: readonly Offer[]): GeneratedOverrides {
  const files: Record<string, string> = {};
  const git: Record<string, CommitDecl[]> = {};
  const marks: Mark[] = [];
  const fromDefault = offers.filter((offer) => offer.registry === null);
  const put = (folder: string, replacement: Replacement): void => {
    files[`${folder}/Cargo.toml`] = manifestOf(replacement);
    files[`${folder}/src/lib.rs`] = '';
  };

  let table = '';
  if (genome.replace !== null && genome.patches.length === 0) {
    const offer = pickOrNull(fromDefault, genome.replace.on);
    if (offer !== null) {
      const { version } = pick(offer.versions, genome.replace.version);
      const dependencies = ownDependencies(genome.replace.deps, offer, fromDefault);
      put(`patches/${offer.name}`, { offer, version, dependencies });
      table += `\n[replace]\n"${offer.name}:${version}" = { path = "patches/${offer.name}" }\n`;
      marks.push({ subject: 'replace', crate: offer.name });
    }
  }

  // Only one registry is patched, because cargo iterates several in random order.
  const patched = pickOrNull(offers, genome.patches[0]?.on ?? 0)?.registry;
  const lines = { manifest: [] as string[], config: [] as string[] };
  genome.patches.forEach((gene, at) => {
    const offer = pickOrNull(
      offers.filter(({ registry }) => registry === patched),
      gene.on,
    );
    if (offer === null) return;
    const version = patchVersion(gene, offer);
    const replacement = { offer, version, dependencies: ownDependencies(gene.deps, offer, fromDefault) };
    const via = pick(['path', 'git', 'config', 'git', 'path', 'git in config'] as const, gene.via);
    const isGit = via.startsWith('git');
    if (isGit) {
      const commit = { files: { 'Cargo.toml': manifestOf(replacement), 'src/lib.rs': '' } };
      git[`patch-${at}`] = [commit];
      marks.push({ subject: 'patch by git', crate: offer.name });
    } else put(`patches/p${at}`, replacement);
    const place = isGit ? `git = "file://$G/patch-${at}"` : `path = "patches/p${at}"`;
    const key = gene.by % 3 === 1 ? `other-${at} = { package = "${offer.name}", ` : `${offer.name} = { `;
    const list = via.endsWith('config') ? lines.config : lines.manifest;
    if (list.some((line) => line.startsWith(key))) return;
    list.push(`${key}${place} }`);
    marks.push({ subject: 'patch', crate: offer.name });
    if (list === lines.config) marks.push({ subject: 'patch by config', crate: offer.name });
  });
  const patchTable = (list: readonly string[]): string =>
    list.length === 0 ? '' : `\n[patch.${patched ?? 'crates-io'}]\n${list.join('\n')}\n`;
  table += patchTable(lines.manifest);

  let paths = '';
  const override = genome.override;
  const offer = override === null ? null : pickOrNull(fromDefault, override.on);
  if (override !== null && offer !== null) {
    const { version, dependencies } = pick(offer.versions, override.version);
    const own = override.isFaithful ? dependencies : ownDependencies(override.deps, offer, fromDefault);
    put('overrides/one', { offer, version, dependencies: own });
    paths = 'paths = ["overrides"]\n';
    marks.push({ subject: 'path override', crate: offer.name });
  }
  return { table, paths, config: patchTable(lines.config), files, git, marks };
}

/** Returns the dependencies of a replacement, on crates that the replaced crate could depend on. */
function ownDependencies(
  genes: PatchGene['deps'],
  { name }: Offer,
  fromDefault: readonly Offer[],
): readonly Dependency[] {
  const at = fromDefault.findIndex((offer) => offer.name === name);
  return buildDependencies(genes, fromDefault.slice(0, Math.max(0, at))).dependencies;
}

function patchVersion({ version, by }: PatchGene, offer: Offer): string {
  const { version: chosen } = pick(offer.versions, version);
  const [numbers = chosen] = chosen.split(/[-+]/);
  const [major, minor, last] = numbers.split('.').map(Number);
  return pick([chosen, `${major}.${minor}.${(last ?? 0) + 3}`, `${Number(major) + 1}.0.0`, chosen], by);
}

function manifestOf({ offer, version, dependencies }: Replacement): string {
  const tables = dependencyTables(
    dependencies.map((dependency) => ({
      dependency,
      source: { kind: 'registry', registry: dependency.offer.registry },
    })),
  );
  const features = offer.versions.at(-1)?.features.map((feature) => `"${feature}" = []`) ?? [];
  return `[package]\nname = "${offer.name}"\nversion = "${version}"\nedition = "2021"\n${tables}\n[features]\n${features.join('\n')}\n[workspace]\n`;
}
