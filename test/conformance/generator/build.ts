import type { CrateDecl } from '../../helpers/crate.ts';
import type { RunDecl, Scenario } from '../../helpers/scenario.ts';
import { buildDependencies, type Offer } from './dependencies.ts';
import type { Genome, PatchGene, RunGene } from './genome.ts';
import { dependencyTables } from './manifest-text.ts';
import { pick, pickOrNull } from './pick.ts';
import { buildRegistry } from './registry.ts';
import type { Mark } from './subjects.ts';
import { buildWorkspace, type GeneratedWorkspace } from './workspace.ts';

/** A case made from a genome. */
export interface GeneratedCase {
  readonly scenario: Scenario;
  readonly marks: readonly Mark[];
}

const filterPlatforms = [
  'x86_64-unknown-linux-gnu',
  'x86_64-pc-windows-msvc',
  'aarch64-apple-darwin',
  'wasm32-unknown-unknown',
];

/** Makes the scenario of a genome; the same genome gives the same scenario. */
export function buildCase(genome: Genome): GeneratedCase {
  const registry = buildRegistry(genome.crates);
  const workspace = buildWorkspace(genome, registry.offers);
  const marks: Mark[] = [...registry.marks, ...workspace.marks];
  const kind = pick(['local', 'local', 'sparse', 'local', 'sparse', 'directory'] as const, genome.serve);
  const files = { ...workspace.files };
  const overrides = buildOverrides(genome, registry.offers, marks);
  files['Cargo.toml'] = `${files['Cargo.toml'] ?? ''}${overrides.table}`;
  Object.assign(files, overrides.files, configFiles(genome));
  const crates = registry.crates.filter((crate) => kind !== 'directory' || crate.yanked !== true);
  const served = new Set(crates.map((crate) => crate.registry ?? 'crates-io'));
  if (served.has('crates-io')) {
    const subject = {
      local: 'local registry',
      sparse: 'sparse registry',
      directory: 'directory source',
    } as const;
    for (const crate of crates) marks.push({ subject: subject[kind], crate: crate.name });
  }
  const runs: RunDecl[] = genome.runs.map((gene, at) => run(gene, { at, workspace }));
  if (genome.change !== null) {
    marks.push({ subject: 'older lock file', crate: null });
    const changed = buildWorkspace(genome, [...registry.offers], genome.change);
    const write = {
      ...changed.files,
      'Cargo.toml': `${changed.files['Cargo.toml'] ?? ''}${overrides.table}`,
    };
    const differs = Object.entries(write).filter(([name, text]) => files[name] !== text);
    const publish: CrateDecl[] = [
      ...genome.change.publish.flatMap((number) => pickOrNull(registry.later, number) ?? []),
      ...genome.change.yank.flatMap((number) => {
        const crate = pickOrNull(crates, number);
        return crate === null || kind === 'directory' ? [] : [{ ...crate, yanked: true }];
      }),
    ];
    runs.push({
      name: 'changed',
      ...(differs.length === 0 ? {} : { write: Object.fromEntries(differs) }),
      ...(publish.length === 0 ? {} : { publish }),
    });
    runs.push({ name: 'changed-locked', args: ['--locked'] });
  }
  return {
    scenario: {
      about: 'A generated case on which the answers once differed.',
      files,
      registries: { 'crates-io': { kind }, alt: { kind: 'sparse' } },
      crates,
      git: workspace.git,
      runs,
    },
    marks,
  };
}

function run(gene: RunGene, options: { at: number; workspace: GeneratedWorkspace }): RunDecl {
  const { at, workspace } = options;
  const args: string[] = [];
  for (const flag of gene.flags) {
    const feature = pickOrNull(workspace.features, gene.platform);
    const more = pick(
      [
        [],
        ['--all-features'],
        ['--no-default-features'],
        ['--filter-platform', pick(filterPlatforms, gene.platform)],
        feature === null ? [] : ['--features', feature],
        at > 0 || gene.platform % 4 === 0 ? ['--offline'] : [],
        at > 0 ? ['--locked'] : [],
        ['--no-deps'],
        feature === null ? [] : ['--features', feature.split('/')[1] ?? ''],
        ['--filter-platform', pick(filterPlatforms, gene.platform + 1)],
      ],
      flag,
    );
    if (!args.includes(more[0] ?? '')) args.push(...more);
  }
  const folder = gene.cwd % 4 === 0 ? pickOrNull(workspace.folders, gene.cwd >> 2) : null;
  return {
    name: `run-${at}`,
    ...(args.length === 0 ? {} : { args }),
    ...(folder === null || folder === '' ? {} : { cwd: folder }),
  };
}

/** `[patch]` or `[replace]` of the root manifest, and the packages that it names. */
function buildOverrides(
  genome: Genome,
  offers: readonly Offer[],
  marks: Mark[],
): { table: string; files: Record<string, string> } {
  const files: Record<string, string> = {};
  const fromDefault = offers.filter((offer) => offer.registry === null);
  const tables = new Map<string, string[]>();
  const write = (gene: PatchGene, options: { folder: string; name: string; version: string }): void => {
    const { folder, name, version } = options;
    const behind = fromDefault.slice(
      0,
      fromDefault.findIndex((offer) => offer.name === name),
    );
    const { dependencies } = buildDependencies(gene.deps, behind);
    const text = dependencyTables(
      dependencies.map((dependency) => ({ dependency, source: { kind: 'registry', registry: null } })),
    );
    const features = offers
      .find((offer) => offer.name === name)
      ?.versions.at(-1)
      ?.features.map((feature) => `"${feature}" = []`);
    files[`${folder}/Cargo.toml`] =
      `[package]\nname = "${name}"\nversion = "${version}"\nedition = "2021"\n${text}\n[features]\n${(features ?? []).join('\n')}\n[workspace]\n`;
    files[`${folder}/src/lib.rs`] = '';
  };
  if (genome.replace !== null && genome.patches.length === 0) {
    const offer = pickOrNull(fromDefault, genome.replace.on);
    if (offer !== null) {
      const { version } = pick(offer.versions, genome.replace.version);
      write(genome.replace, { folder: `patches/${offer.name}`, name: offer.name, version });
      tables.set('replace', [`"${offer.name}:${version}" = { path = "patches/${offer.name}" }`]);
      marks.push({ subject: 'replace', crate: offer.name });
    }
  }
  // One patched registry: cargo goes through several in no fixed order.
  const patched = pickOrNull(offers, genome.patches[0]?.on ?? 0)?.registry;
  genome.patches.forEach((gene, at) => {
    const offer = pickOrNull(
      offers.filter(({ registry }) => registry === patched),
      gene.on,
    );
    if (offer === null) return;
    const { version } = pick(offer.versions, gene.version);
    const [numbers = version] = version.split(/[-+]/);
    const [major, minor, last] = numbers.split('.').map(Number);
    const chosen = pick(
      [version, `${major}.${minor}.${(last ?? 0) + 3}`, `${Number(major) + 1}.0.0`, version],
      gene.by,
    );
    const folder = `patches/p${at}`;
    write(gene, { folder, name: offer.name, version: chosen });
    const key = `patch.${offer.registry ?? 'crates-io'}`;
    const renamed = gene.by % 3 === 1 ? `other-${at} = { package = "${offer.name}", ` : `${offer.name} = { `;
    const list = tables.get(key) ?? [];
    if (!list.some((line) => line.startsWith(renamed))) list.push(`${renamed}path = "${folder}" }`);
    tables.set(key, list);
    marks.push({ subject: 'patch', crate: offer.name });
  });
  const table = [...tables].map(([name, lines]) => `\n[${name}]\n${lines.join('\n')}\n`).join('');
  return { table, files };
}

/** Config files of the workspace, now and then. */
function configFiles(genome: Genome): Record<string, string> {
  const texts: (string | null)[] = [
    null,
    '[build]\ntarget-dir = "out/../t"\n',
    '[build]\nbuild-dir = "{workspace-root}/b/{workspace-path-hash}"\n',
    '[resolver]\nincompatible-rust-versions = "fallback"\n',
    null,
    '[resolver]\nincompatible-rust-versions = "allow"\n',
    '[build]\ntarget = "x86_64-pc-windows-gnu"\nunknown = 1\n',
  ];
  const text = texts[genome.config % 12] ?? null;
  return text === null ? {} : { '.cargo/config.toml': text };
}
