import type { CrateDecl } from '../../helpers/crate.ts';
import type { RunDecl, Scenario } from '../../helpers/scenario.ts';
import type { Genome } from './genome.ts';
import { buildNeighbors } from './neighbors.ts';
import { buildOverrides } from './overrides.ts';
import { pick, pickOrNull } from './pick.ts';
import { buildRegistry, type GeneratedRegistry } from './registry.ts';
import { buildRepos } from './repos.ts';
import { buildRuns } from './runs.ts';
import type { Mark, Subject } from './subjects.ts';
import { buildWorkspace, type GeneratedWorkspace } from './workspace.ts';

/** A case built from a genome. */
export interface GeneratedCase {
  readonly scenario: Scenario;
  readonly marks: readonly Mark[];
}

/** The kinds of source for crates.io's packages. */
const kinds = [
  ...(['local', 'sparse', 'git', 'local', 'sparse'] as const),
  ...(['directory', 'local', 'sparse', 'git', 'directory'] as const),
];
const kindSubjects: Readonly<Record<(typeof kinds)[number], Subject>> = {
  local: 'local registry',
  sparse: 'sparse registry',
  git: 'git index',
  directory: 'directory source',
};

/** Builds the scenario of a genome. It depends only on the genome. */
export function buildCase(genome: Genome): GeneratedCase {
  const registry = buildRegistry(genome.crates);
  const { offers } = registry;
  const repos = buildRepos(genome, offers);
  const around = { offers, gitOffers: repos.offers, neighbors: buildNeighbors(genome, offers) };
  const overrides = buildOverrides(genome, offers);
  const workspace = buildWorkspace(genome, around);
  const marks: Mark[] = [...registry.marks, ...workspace.marks, ...overrides.marks];
  const kind = pick(kinds, genome.serve);
  const crates = registry.crates.filter((crate) => kind !== 'directory' || crate.yanked !== true);
  for (const crate of crates) {
    if (crate.registry === undefined) marks.push({ subject: kindSubjects[kind], crate: crate.name });
  }
  const filesOf = (made: GeneratedWorkspace): Record<string, string> => ({
    ...made.files,
    'Cargo.toml': `${made.files['Cargo.toml'] ?? ''}${overrides.table}`,
  });
  const files = {
    ...filesOf(workspace),
    ...overrides.files,
    ...configFiles(genome, overrides),
  };
  if (files['.cargo/config.toml']?.includes(LOCK_FILE_ELSEWHERE) === true)
    marks.push({ subject: 'lock file elsewhere', crate: null });
  const first = buildRuns(genome, workspace);
  marks.push(...first.marks);
  const runs = [...first.runs];
  if (genome.change !== null) {
    const changed = buildWorkspace(genome, around, genome.change);
    const { run, subjects } = changedRun(genome, {
      before: files,
      after: filesOf(changed),
      removed: changed.removed,
      commit: repos.later,
      crates: kind === 'directory' ? [] : crates,
      registry,
    });
    marks.push(...subjects.map((subject) => ({ subject, crate: null })));
    runs.push(run, {
      name: 'changed-again',
      args: pick([['--locked'], ['--offline'], ['--frozen'], []], genome.list),
    });
  }
  return {
    scenario: {
      about: 'A generated case on which the answers once differed.',
      files,
      registries: {
        'crates-io': { kind },
        alt: { kind: 'sparse' },
        other: { kind: genome.serve % 3 === 0 ? 'git' : 'sparse' },
      },
      crates,
      git: { ...repos.git, ...overrides.git },
      runs,
    },
    marks,
  };
}

/** Returns the run after changes to the workspace and registries. */
function changedRun(
  genome: Genome,
  options: {
    readonly before: Readonly<Record<string, string>>;
    readonly after: Readonly<Record<string, string>>;
    readonly removed: string | null;
    readonly commit: NonNullable<RunDecl['commit']>;
    /** The crates that can be yanked. */
    readonly crates: readonly CrateDecl[];
    readonly registry: GeneratedRegistry;
  },
): { run: RunDecl; subjects: Subject[] } {
  const { before, after, removed, commit, crates, registry } = options;
  const { change } = genome;
  const subjects: Subject[] = ['older lock file'];
  const differs = Object.entries(after).filter(([name, text]) => before[name] !== text);
  const publish: CrateDecl[] = [
    ...(change?.publish ?? []).flatMap((number) => pickOrNull(registry.later, number) ?? []),
    ...(change?.yank ?? []).flatMap((number) => {
      const crate = pickOrNull(crates, number);
      return crate === null ? [] : [{ ...crate, yanked: true }];
    }),
  ];
  if (removed !== null) subjects.push('member removed');
  if (Object.keys(commit).length > 0) subjects.push('new commits');
  if (change?.bump === true) subjects.push('member of another version');
  const run: RunDecl = {
    name: 'changed',
    ...(removed === null ? {} : { remove: [removed] }),
    ...(differs.length === 0 ? {} : { write: Object.fromEntries(differs) }),
    ...(publish.length === 0 ? {} : { publish }),
    ...(Object.keys(commit).length === 0 ? {} : { commit }),
  };
  return { run, subjects };
}

const LOCK_FILE_ELSEWHERE = '[resolver]\nlockfile-path = "locks/Cargo.lock"\n';

/** Returns the workspace's config file, which some cases have. */
function configFiles(
  genome: Genome,
  { paths, config }: { readonly paths: string; readonly config: string },
): Record<string, string> {
  const texts: (string | null)[] = [
    null,
    '[build]\ntarget-dir = "out/../t"\n',
    '[build]\nbuild-dir = "{workspace-root}/b/{workspace-path-hash}"\n',
    '[resolver]\nincompatible-rust-versions = "fallback"\n',
    LOCK_FILE_ELSEWHERE,
    '[resolver]\nincompatible-rust-versions = "allow"\n',
    '[build]\ntarget = "x86_64-pc-windows-gnu"\nunknown = 1\n',
    '[net]\noffline = false\n',
  ];
  const text = `${paths}${texts[genome.config % 12] ?? ''}${config}`;
  return text === '' ? {} : { '.cargo/config.toml': text };
}
