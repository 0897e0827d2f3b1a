import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { extract } from 'tar';
import { type Answer, differingFacets } from '../helpers/answer.ts';
import { runProgram } from '../helpers/program.ts';
import { Sandbox } from '../helpers/sandbox.ts';
import type { Disagreement } from './compare.ts';
import { type Context, isWanted, lastingFolder } from './context.ts';
import {
  type EditedWorkspace,
  EditingSession,
  eventsOf,
  type Question,
  textOf,
} from './edits/edited-workspace.ts';
import { manifestsOf, type StepGene, stepGenes, takeStep } from './edits/steps.ts';
import { buildCase } from './generator/build.ts';
import { genomes } from './generator/genome.ts';
import { pick } from './generator/pick.ts';
import { forEachConcurrently } from './pool.ts';
import { type KindReport, newReport, noteDisagreement } from './report.ts';

/** The number of generated workspaces and of steps on each workspace, for both forms. */
const counts = { quick: { generated: 2, steps: 12 }, long: { generated: 5, steps: 260 } };
/** The minimum number of packages in the lock file of a generated workspace. */
const leastPackages = 4;
/** How often cargo runs again: see `compareScenario`. */
const repetitions = 24;
/** The archive size in bytes from which a workspace is skipped, because one step takes too long. */
const largest = 60_000;

/**
 * Edits workspaces in random steps, some of which undo the previous one. After each step one command runs: with cargo,
 * twice with the subject and the cache of earlier steps, and with the subject without a cache. `--count` is the number
 * of steps on each workspace.
 */
export async function compareEdits(context: Context): Promise<KindReport> {
  const { options } = context;
  const report = newReport('edits');
  const form = counts[options.isLong ? 'long' : 'quick'];
  const steps = options.count ?? form.steps;
  const works = [
    ...generatedWorkspaces(context, form.generated),
    ...realWorkspaces(context).filter((_, at) => options.isLong || at === options.seed % 3),
  ].filter(({ name }) => isWanted(options, name));
  console.log(`edits: ${steps} steps of seed ${options.seed} on each of ${works.length} workspaces`);
  await forEachConcurrently(works, options.workers, async ({ name, open }, worker) => {
    const workspace = await open(worker);
    if (workspace === null) {
      report.faults.push(`${name}: cargo cannot fetch its packages`);
      return;
    }
    const before = { runs: report.runs, refused: report.refused, wrong: report.wrong.length };
    try {
      const seed = seedOf(options.seed, name);
      const genes = fc.sample(stepGenes, { seed, numRuns: steps });
      await playSteps(context, new EditingSession(workspace), { genes, report });
    } finally {
      workspace.remove();
    }
    const runs = report.runs - before.runs;
    const refused = report.refused - before.refused;
    console.log(
      `edits: ${name}: ${runs} steps, ${refused} of them refused by cargo, ${report.wrong.length - before.wrong} differ`,
    );
  });
  return report;
}

/** Returns the seed of a workspace, so that each has different steps. */
function seedOf(seed: number, name: string): number {
  return [...name].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 0x7fffffff, seed);
}

interface Work {
  readonly name: string;
  /** Returns null if cargo rejects the unedited workspace. */
  readonly open: (worker: number) => Promise<EditedWorkspace | null>;
}

async function playSteps(
  context: Context,
  session: EditingSession,
  { genes, report }: { readonly genes: readonly StepGene[]; readonly report: KindReport },
): Promise<void> {
  const ask = async (name: string, question: Question): Promise<Answer> => {
    const { answer, disagreements } = await compareQuestion(context, session, question);
    report.cases += 1;
    report.runs += 1;
    if (answer.status !== 0) report.refused += 1;
    for (const disagreement of disagreements)
      noteDisagreement(report, `${session.workspace.name}, ${name}`, disagreement);
    return answer;
  };
  const metadata: Question = { name: 'metadata', args: metadataArgs, cwd: '' };
  // The last state that `metadata` accepted. Other commands succeed even if packages cannot be resolved.
  let resolvable = session.save();
  let step = 0;
  for (const gene of genes) {
    if (step >= genes.length) return;
    const before = session.save();
    const name = `step ${step}: ${takeStep(session, gene)}`;
    step += 1;
    const isMetadata = gene.ask % 2 === 0;
    const question = isMetadata ? questionAboutMetadata(session, gene) : otherQuestion(session, gene);
    const { status } = await ask(name, question);
    if (status === 0 && isMetadata) resolvable = session.save();
    if (status === 0 && !gene.back) continue;
    session.restore(status !== 0 && isMetadata ? resolvable : before);
    step += 1;
    await ask(`${name}, taken back`, status === 0 ? question : metadata);
  }
}

const metadataArgs = ['metadata', '--format-version', '1'];

function questionAboutMetadata(session: EditingSession, { flags }: StepGene): Question {
  const more = pick(
    [
      [],
      [],
      [],
      ['--offline'],
      ['--all-features'],
      ['--filter-platform', 'x86_64-unknown-linux-gnu'],
      ['--locked'],
    ],
    flags,
  );
  const args = [...metadataArgs, ...more];
  return { name: args.join(' '), args, cwd: flags % 5 === 0 ? memberFolder(session, flags) : '' };
}

/** Returns one of the other commands. Each has cache entries from several steps ago. */
function otherQuestion(session: EditingSession, { ask, flags }: StepGene): Question {
  const cwd = flags % 3 === 0 ? memberFolder(session, flags) : '';
  const names = manifestsOf(session).flatMap(
    (at) =>
      /^name\s*=\s*"([^"]*)"/m.exec(readFileSync(path.join(session.workspace.base, at), 'utf8'))?.[1] ?? [],
  );
  const spec = pick(['', ...names], flags);
  const args = pick(
    [
      [...metadataArgs, '--no-deps'],
      ['tree'],
      ['pkgid', ...(spec === '' ? [] : [spec])],
      ['locate-project', ...(flags % 2 === 0 ? ['--workspace'] : [])],
      [...metadataArgs, '--no-deps'],
      pick(
        [
          ['tree', '-e', 'features'],
          ['tree', '--workspace'],
          ['tree', '-i', spec],
          ['tree', '-d'],
        ],
        flags,
      ),
      ['read-manifest'],
      hasAlias(session, cwd) ? ['mm'] : ['locate-project', '--message-format', 'plain'],
    ],
    ask >> 1,
  );
  return { name: args.join(' '), args, cwd };
}

/** Returns a folder with a manifest, relative to the workspace. */
function memberFolder(session: EditingSession, number: number): string {
  const folders = manifestsOf(session).map((at) => path.relative('ws', path.dirname(at)));
  return pick(['', ...folders], number);
}

/**
 * Returns whether the configuration or a variable defines the alias `mm`. Without it, both programs suggest a similar
 * command, but they have different commands.
 */
function hasAlias(session: EditingSession, cwd: string): boolean {
  if ((session.env['CARGO_ALIAS_MM'] ?? '') !== '' || session.homeConfig.includes('mm =')) return true;
  for (let folder = path.join(session.root, cwd); folder.startsWith(session.workspace.base); ) {
    for (const name of ['config', 'config.toml']) {
      const file = path.join(folder, '.cargo', name);
      if (existsSync(file)) return readFileSync(file, 'utf8').includes('mm =');
    }
    folder = path.dirname(folder);
  }
  return false;
}

async function compareQuestion(
  { oracle, subject }: Context,
  session: EditingSession,
  question: Question,
): Promise<{ answer: Answer; disagreements: Disagreement[] }> {
  const before = session.locks();
  const ofCargo = { home: 'cargo', cache: 'on' } as const;
  const first = await session.ask(oracle, question, ofCargo);
  const after = session.locks();
  // cargo reports changes and downloads only once.
  const isSettled = first.stderr === '' && first.lock === textOf(before);
  const second = isSettled ? first : await session.ask(oracle, question, ofCargo);
  const runs = [
    { name: 'first run', expected: first, from: before, how: { home: 'warm', cache: 'on' } },
    { name: 'second run', expected: second, from: after, how: { home: 'warm', cache: 'on' } },
    { name: 'without cache', expected: first, from: before, how: { home: 'cold', cache: 'off' } },
  ] as const;
  const disagreements: Disagreement[] = [];
  for (const { name, expected, from, how } of runs) {
    session.putLocks(from);
    const got = await session.ask(subject.program, question, how);
    let facets = differingFacets(expected, got);
    let cargo = expected;
    for (let time = 0; time < repetitions && facets.length > 0; time += 1) {
      session.putLocks(from);
      cargo = await session.ask(oracle, question, ofCargo);
      if (differingFacets(cargo, got).length === 0) facets = [];
    }
    const run = `${question.name} in ws/${question.cwd}, ${name}`;
    if (facets.length > 0) disagreements.push({ run, facets, cargo: expected, subject: got });
  }
  session.putLocks(after);
  return { answer: first, disagreements };
}

/** Returns generated workspaces with several members and packages that cargo resolves and whose result is cached. */
function generatedWorkspaces({ options, oracle, subject, scratch, server }: Context, count: number): Work[] {
  const { seed } = options;
  const scenarios = fc
    .sample(genomes, { seed, numRuns: 400 })
    .filter(({ members, crates }) => members.length > 1 && crates.length > 2)
    .map((genome) => buildCase(genome).scenario);
  const cached = { ...subject.program, env: { ...subject.program.env, TSREG_CACHE: 'on' } };
  return Array.from({ length: count }, (_, at) => ({
    name: `generated-${at}`,
    open: async (worker) => {
      // Each workspace has separate candidates, so that `--filter` does not change them.
      for (const scenario of scenarios.filter((_, candidate) => candidate % count === at)) {
        const base = path.join(scratch, `edits-${worker}`);
        const sandbox = new Sandbox(scenario, base, server);
        sandbox.start();
        const answer = await sandbox.run(oracle, { name: 'first' });
        const packages = [...(answer.lock ?? '').matchAll(/^source = /gm)].length;
        // No result is cached if every run has to resolve again.
        if (subject.plain !== null)
          for (let time = 0; time < 2; time += 1) await sandbox.ask(cached, { name: 'cached' });
        const isCached = subject.plain === null || existsSync(path.join(base, 'home/tsreg/cache/results'));
        if (answer.status !== 0 || packages < leastPackages || !isCached) {
          sandbox.remove();
          continue;
        }
        const changed = scenario.runs.find(({ name }) => name === 'changed');
        return {
          name: `generated-${at}`,
          base,
          env: {},
          events: changed === undefined ? [] : eventsOf(changed, (part) => sandbox.apply(part)),
          offers: (scenario.crates ?? []).map(
            ({ name, version, registry }) => [name, version, registry ?? null] as const,
          ),
          remove: () => sandbox.remove(),
        };
      }
      return null;
    },
  }));
}

/** Returns the smaller workspaces of the folder, with the packages of their lock files. */
function realWorkspaces({ options, oracle }: Context): Work[] {
  const folder = options.workspaces;
  if (folder === null || !existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((file) => file.endsWith('.tar.gz') && readFileSync(path.join(folder, file)).length < largest)
    .sort()
    .map((file) => ({
      name: path.basename(file, '.tar.gz'),
      open: async (worker) => {
        const name = path.basename(file, '.tar.gz');
        const lasting = lastingFolder('edits', worker);
        const base = path.join(lasting, 'base');
        rmSync(base, { recursive: true, force: true });
        const root = path.join(base, 'ws');
        const fetched = path.join(lasting, 'home');
        mkdirSync(root, { recursive: true });
        mkdirSync(fetched, { recursive: true });
        await extract({ file: path.join(folder, file), cwd: root });
        const env = { PATH: oracle.env['PATH'] ?? '', HOME: path.join(base, 'user'), CARGO_HOME: fetched };
        const { status } = await runProgram(oracle, ['fetch'], { cwd: root, env, timeoutMs: 600_000 });
        if (status !== 0) return null;
        const keep = { recursive: true, preserveTimestamps: true, verbatimSymlinks: true } as const;
        cpSync(fetched, path.join(base, 'home'), keep);
        const lock = readFileSync(path.join(root, 'Cargo.lock'), 'utf8');
        const packages = lock.matchAll(/^name = "(.*)"\nversion = "(.*)"\nsource = "registry/gm);
        return {
          name,
          base,
          env: { CARGO_NET_OFFLINE: 'true' },
          events: [],
          offers: Array.from(packages, ([, crate = '', version = '']) => [crate, version, null] as const),
          remove: () => rmSync(base, { recursive: true, force: true }),
        };
      },
    }));
}
