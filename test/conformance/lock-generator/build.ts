import type { Answer } from '../../helpers/answer.ts';
import type { CrateDecl } from '../../helpers/crate.ts';
import type { RunDecl, Scenario } from '../../helpers/scenario.ts';
import type { Generator } from '../generated.ts';
import { buildCase } from '../generator/build.ts';
import { pick, pickOrNull } from '../generator/pick.ts';
import { buildArguments, type LockSurroundings } from './arguments.ts';
import { type LockGenome, lockGenomes, type StepGene } from './genome.ts';
import { ageVariables, dated, withAgeOfRegistry } from './publish-age.ts';
import { lockSubjects, outcomes, subjectsOfRun } from './subjects.ts';

/** Workspaces whose lock files are created, updated and fetched while their registries change. */
export const generatedLocks: Generator<LockGenome> = {
  kind: 'lock',
  genomes: lockGenomes,
  build: buildLockCase,
  subjects: lockSubjects,
  occurring: (genome, answers) => {
    const { runs } = buildLockCase(genome);
    return new Set([...runs.flatMap(subjectsOfRun), ...occurred(answers)]);
  },
  counts: { quick: 30, long: 320, least: 300 },
};

function occurred(answers: readonly Answer[]): readonly string[] {
  return answers.flatMap((answer, at) => outcomes(answer, answers[at - 1] ?? null));
}

/** Builds the scenario of a genome. It depends only on the genome. */
function buildLockCase(genome: LockGenome): Scenario {
  const scenario = buildUndated(genome);
  if (genome.age === 0) return scenario;
  const env = ageVariables(genome.age);
  // cargo forgets the age of crates.io if only the lock file and a git package name that registry.
  const hasGit = Object.keys(scenario.git ?? {}).length > 0;
  return {
    ...scenario,
    files: hasGit ? scenario.files : withAgeOfRegistry(scenario.files, genome.age),
    crates: scenario.crates?.map(dated) ?? [],
    runs: scenario.runs.map((run) => ({
      ...run,
      env,
      ...(run.publish === undefined ? {} : { publish: run.publish.map(dated) }),
    })),
  };
}

function buildUndated({ base, steps }: LockGenome): Scenario {
  const built = buildCase(base).scenario;
  const repos = Object.keys(built.git ?? {}).filter((name) => name.startsWith('repo-'));
  const files = withEverydayDependencies(built.files, repos);
  const scenario: Scenario = {
    ...built,
    files,
    crates: [...everydayCrates, ...(built.crates ?? [])],
  };
  const changed = scenario.runs.find(({ name }) => name === 'changed') ?? null;
  const kind = scenario.registries?.['crates-io']?.kind;
  const crates = [...(scenario.crates ?? [])];
  const around: LockSurroundings = {
    crates,
    members: packageNames(scenario.files),
    gitPackages: repos.map((repo) => repo.replace('repo-', 'git-')),
    folders: Object.keys(scenario.files)
      .filter((name) => name.endsWith('/Cargo.toml') && !name.startsWith('..'))
      .map((name) => name.slice(0, -'/Cargo.toml'.length)),
    patches: packageNames(
      Object.fromEntries(Object.entries(scenario.files).filter(([name]) => name.startsWith('patches/'))),
    ),
  };
  const runs = steps.map((step, at): RunDecl => {
    // A directory source cannot change published versions.
    const publish = at === 0 || kind === 'directory' ? [] : publications(step, crates);
    const isChanged = at > 0 && step.change > 0 && changed !== null;
    const { commit, write, remove } = changed ?? {};
    const isCommitted = at > 0 && step.commit > 0 && commit !== undefined;
    const folder = step.cwd % 5 === 0 ? pickOrNull(around.folders, step.cwd) : null;
    return {
      name: `step-${at}`,
      bare: true,
      args: buildArguments(step, at === 0, around),
      ...(folder === null ? {} : { cwd: folder }),
      ...(publish.length === 0 ? {} : { publish }),
      ...(isCommitted ? { commit } : {}),
      ...(isChanged && write !== undefined ? { write } : {}),
      ...(isChanged && remove !== undefined ? { remove } : {}),
      ...(at > 0 && step.relock > 0
        ? { relock: pick(['version 1', 'version 2', 'version 3', 'crlf'] as const, step.relock) }
        : {}),
      ...(step.home > 0 ? { reset_home: true } : {}),
    };
  });
  const [first] = steps;
  if (first !== undefined && first.cwd % 3 > 0) {
    runs.push(...setVersions(first, { around, isFixed: kind === 'directory', repo: repos[0] ?? null }));
  }
  return {
    ...scenario,
    about: 'A generated case about lock files on which the answers once differed.',
    // A removed folder cannot be a working folder.
    runs: runs.map((run, at) =>
      runs.slice(0, at + 1).some(({ remove }) => remove) ? without(run, 'cwd') : run,
    ),
  };
}

/** Typical crates that every case has. */
const everydayCrates: readonly CrateDecl[] = [
  { name: 'once-it', version: '1.0.0' },
  { name: 'log-it', version: '0.4.0', deps: ['once-it ^1'] },
  { name: 'log-it', version: '0.4.1', deps: ['once-it ^1'] },
  { name: 'log-it', version: '0.4.2', deps: ['once-it ^1'] },
  { name: 'parse_it', version: '1.0.0', deps: ['log-it ^0.4'] },
  { name: 'parse_it', version: '1.1.0', deps: ['log-it ^0.4'] },
  { name: 'parse_it', version: '1.2.0', deps: ['log-it ^0.4.1'] },
  { name: 'parse_it', version: '2.0.0', deps: ['log-it ^0.4'] },
  { name: 'wait-for', version: '1.0.0', deps: ['parse_it ^1'] },
  { name: 'wait-for', version: '1.1.0', deps: ['parse_it ^1'], rust_version: '1.60' },
];

/** Adds dependencies on the typical crates, and on a repository, to the first package of the workspace. */
function withEverydayDependencies(files: Scenario['files'], repos: readonly string[]): Scenario['files'] {
  const [path = ''] = Object.entries(files).flatMap(([name, text]) =>
    typeof text === 'string' && name.endsWith('Cargo.toml') && text.startsWith('[package]') ? [name] : [],
  );
  const text = files[path];
  if (typeof text !== 'string') return files;
  const [repo] = repos;
  // Of a `file:` repository, cargo's git library copies all commits. tsreg fetches a second reference separately.
  const isPartlyFetched = Object.values(files).some(
    (file) => typeof file === 'string' && file.includes('rev = "refs/'),
  );
  const tables = [
    'parse_it]\nversion = "1"',
    'wait-for]\nversion = "1.0"',
    'parse-two]\npackage = "parse_it"\nversion = "2"',
    ...(repo === undefined || isPartlyFetched
      ? []
      : [`from-git]\npackage = "${repo.replace('repo-', 'sub-')}"\ngit = "file://$G/${repo}"`]),
  ];
  return { ...files, [path]: `${text}${tables.map((table) => `\n[dependencies.${table}\n`).join('')}` };
}

/**
 * Returns runs that usually succeed: a package gets an older, sometimes yanked version, and a repository its first
 * commit.
 */
function setVersions(
  { command, cwd, flags }: StepGene,
  {
    around,
    isFixed,
    repo,
  }: { readonly around: LockSurroundings; readonly isFixed: boolean; readonly repo: string | null },
): readonly RunDecl[] {
  const [name, spec, version] = pick(
    [
      ['log-it', 'log-it', '0.4.1'],
      ['parse_it', 'parse_it@1', '1.1.0'],
      ['wait-for', 'wait-for', '1.0.0'],
    ] as const,
    command,
  );
  const crate = around.crates.find((each) => each.name === name && each.version === version);
  const isYanked = cwd % 2 === 0 && !isFixed && crate !== undefined;
  const text = pick([version, version, version, version, `v${version}`, '1.x'], cwd >> 2);
  const runs: RunDecl[] = [
    {
      name: 'set',
      bare: true,
      args: ['update', spec, '--precise', text, ...(flags.length === 1 ? ['-v'] : [])],
      ...(isYanked ? { publish: [{ ...crate, yanked: true }] } : {}),
    },
  ];
  if (repo !== null) {
    const offered = repo.replace('repo-', 'sub-');
    const commit = pick(['v0', `$C(${repo},v0)`], command);
    runs.push({ name: 'move', bare: true, args: ['update', '-p', offered, '--precise', commit] });
  }
  // The update drops a dependency, which needs a new version that a fixed registry cannot get.
  if (!isFixed && flags.length < 2) {
    const publish = [{ name: 'log-it', version: '0.4.9' }];
    runs.push({ name: 'drop', bare: true, args: ['update', 'log-it'], publish });
  }
  const last = pick(
    [
      ['update', '--ignore-rust-version'],
      ['fetch', '--target', 'x86_64-pc-windows-msvc'],
      ['generate-lockfile', '--ignore-rust-version', '-v'],
      ['fetch', '--target', 'wasm32-unknown-unknown', '-v'],
    ],
    command,
  );
  return [...runs, { name: 'last', bare: true, args: last }];
}

function without<Key extends keyof RunDecl>(run: RunDecl, key: Key): RunDecl {
  const { [key]: _, ...rest } = run;
  return { ...rest, name: run.name };
}

/** Returns the names of the packages in the workspace and next to it. */
function packageNames(files: Scenario['files']): readonly string[] {
  const names = Object.values(files).flatMap((text) =>
    typeof text === 'string' ? (/^\[package\]\nname = "([^"]*)"/m.exec(text)?.[1] ?? []) : [],
  );
  return [...new Set(names)];
}

/** Returns new versions, and versions that are yanked or unyanked. Adds them to `crates`. */
function publications({ publish, yank }: StepGene, crates: CrateDecl[]): readonly CrateDecl[] {
  const made: CrateDecl[] = [];
  const put = (crate: CrateDecl): void => {
    const at = crates.findIndex((old) => isSame(old, crate));
    if (at < 0) crates.push(crate);
    else crates[at] = crate;
    made.push(crate);
  };
  for (const { crate, bump, rust } of publish) {
    const old = chooseCrate(crates, crate);
    if (old === null) continue;
    const { yanked: _, rust_version: __, ...rest } = old;
    // Some versions drop all dependencies.
    const isAlone = bump % 7 > 4 && rest.features === undefined;
    const deps = isAlone ? [] : (rest.deps ?? []);
    const next = { ...rest, deps, version: bumped(old.version, bump) };
    if (crates.some((known) => isSame(known, next))) continue;
    const isOld = rest.edition === '2024' || rust === 0;
    put({ ...next, ...(isOld ? {} : { rust_version: pick(['1.56', '1.70', '1.99'], rust) }) });
  }
  for (const number of yank) {
    const crate = chooseCrate(crates, number);
    if (crate !== null) put({ ...crate, yanked: crate.yanked !== true });
  }
  return made;
}

/** Returns a crate, usually one of every case, because a package is sure to depend on those. */
function chooseCrate(crates: readonly CrateDecl[], number: number): CrateDecl | null {
  const everyday = crates.filter(({ name }) => everydayCrates.some((known) => known.name === name));
  return pickOrNull(number % 3 === 0 ? crates : everyday, Math.floor(number / 3));
}

function isSame(a: CrateDecl, b: CrateDecl): boolean {
  return a.name === b.name && a.version === b.version && a.registry === b.registry;
}

function bumped(version: string, bump: number): string {
  const [numbers = ''] = version.split(/[-+]/);
  const [major = 0, minor = 0, patch = 0] = numbers.split('.').map(Number);
  return pick(
    [
      `${major}.${minor}.${patch + 1}`,
      `${major}.${minor + 1}.0`,
      `${major}.${minor}.${patch + 2}`,
      `${major + 1}.0.0`,
      `${major}.${minor}.${patch + 1}-rc.${bump}`,
      `${major}.${minor}.${patch}+build.${bump}`,
      `${major}.${minor + 2}.1`,
      `${major + 1}.0.0-alpha.1`,
    ],
    bump,
  );
}
