import { buildDependencies, buildFeatures, type Offer } from './dependencies.ts';
import type { Genome } from './genome.ts';
import { dependencyTables, featureTable, type Source } from './manifest-text.ts';
import type { Subject } from './subjects.ts';

/** A package near the workspace that is not a member of it. */
export interface Neighbor {
  readonly offer: Offer;
  /** Its folder, relative to the root of the workspace. */
  readonly folder: string;
  readonly subject: Subject;
}

/** Packages that members may depend on by path. */
export interface GeneratedNeighbors {
  readonly files: Readonly<Record<string, string>>;
  readonly neighbors: readonly Neighbor[];
  /** Folders that the workspace must exclude. */
  readonly exclude: readonly string[];
}

/** Builds packages outside of the workspace, and a workspace inside of it. */
export function buildNeighbors(genome: Genome, offers: readonly Offer[]): GeneratedNeighbors {
  const files: Record<string, string> = {};
  const neighbors: Neighbor[] = [];
  const reachable = offers.filter((offer) => offer.registry === null);
  genome.outside.forEach((gene, at) => {
    const name = `beside-${at}`;
    const folder = `../beside/${name}`;
    const { dependencies } = buildDependencies(gene.deps, reachable);
    const entries: { dependency: (typeof dependencies)[number]; source: Source }[] = dependencies.map(
      (dependency) => ({ dependency, source: { kind: 'registry', registry: null } }),
    );
    const { features } = buildFeatures(gene.features, dependencies);
    const previous = at > 0 ? `\n[dependencies.beside-${at - 1}]\npath = "../beside-${at - 1}"\n` : '';
    files[`${folder}/Cargo.toml`] =
      `[package]\nname = "${name}"\nversion = "0.${at}.0"\nedition = "2021"\n${previous}${dependencyTables(entries)}${featureTable(features)}\n`;
    files[`${folder}/src/lib.rs`] = '';
    neighbors.push({
      offer: offerOf(name, `0.${at}.0`, Object.keys(features)),
      folder,
      subject: 'path outside of the workspace',
    });
  });
  if (genome.nested === 0) return { files, neighbors, exclude: [] };
  files['nested/Cargo.toml'] = `[workspace]\nmembers = ["inner"]\n[workspace.package]\nversion = "9.8.7"\n`;
  files['nested/inner/Cargo.toml'] =
    '[package]\nname = "inner"\nversion.workspace = true\nedition = "2018"\n[features]\nf0 = []\n';
  files['nested/inner/src/lib.rs'] = '';
  neighbors.push({
    offer: offerOf('inner', '9.8.7', ['f0']),
    folder: 'nested/inner',
    subject: 'nested workspace',
  });
  // Without the exclusion, the members would belong to two workspaces.
  return { files, neighbors, exclude: genome.nested % 9 === 0 ? [] : ['nested'] };
}

function offerOf(name: string, version: string, features: readonly string[]): Offer {
  return { name, versions: [{ version, features, dependencies: [] }], registry: null };
}
