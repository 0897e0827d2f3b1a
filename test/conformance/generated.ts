import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { projectRoot } from '../helpers/project-root.ts';
import { Sandbox } from '../helpers/sandbox.ts';
import { printScenario } from '../helpers/scenario-file.ts';
import type { Scenario } from '../helpers/scenario.ts';
import type { Answer } from '../helpers/answer.ts';
import { compareScenario, type Comparison, type Disagreement } from './compare.ts';
import { type Context, isWanted } from './context.ts';
import { buildCase } from './generator/build.ts';
import { type Genome, genomes } from './generator/genome.ts';
import { occurring, subjects } from './generator/subjects.ts';
import type { Kind } from './options.ts';
import { forEachConcurrently } from './pool.ts';
import { type KindReport, newReport, noteDisagreement, printTable } from './report.ts';

/** A kind of generated cases. Each of `subjects` must occur in enough of them. */
export interface Generator<Gene> {
  readonly kind: Kind;
  readonly genomes: fc.Arbitrary<Gene>;
  /** Builds the scenario of a genome. It depends only on the genome. */
  readonly build: (genome: Gene) => Scenario;
  readonly subjects: readonly string[];
  /** Returns the subjects that occur in a genome's case, given cargo's results. */
  readonly occurring: (genome: Gene, answers: readonly Answer[]) => ReadonlySet<string>;
  /** The number of cases in each form, and the minimum in the long form. */
  readonly counts: { readonly quick: number; readonly long: number; readonly least: number };
}

/** Workspaces and their dependencies, for `metadata`. */
export const generatedWorkspaces: Generator<Genome> = {
  kind: 'generated',
  genomes,
  build: (genome) => buildCase(genome).scenario,
  subjects,
  occurring: (genome, answers) =>
    occurring(
      buildCase(genome).marks,
      answers.map((answer) => answer.lock),
    ),
  counts: { quick: 80, long: 600, least: 500 },
};

/** The minimum share of cases in which each subject must occur. */
const leastShare = 0.05;
/** With fewer cases the shares are not significant. */
const countedFrom = 200;
/** The maximum number of disagreements to shrink, and the time limit for each. */
const shrunkAtMost = 4;
const shrinkMs = 30_000;

/** Compares generated cases, shrinks those that differ, and counts the subjects that occurred. */
export async function compareGenerated<Gene>(
  context: Context,
  generator: Generator<Gene>,
): Promise<KindReport> {
  const { options } = context;
  const report = newReport(generator.kind);
  const count = options.count ?? generator.counts[options.isLong ? 'long' : 'quick'];
  console.log(`${generator.kind}: ${count} cases of seed ${options.seed}`);
  const cases = fc.sample(generator.genomes, { seed: options.seed, numRuns: count });
  const counts = new Map<string, number>(generator.subjects.map((subject) => [subject, 0]));
  const wrong: { index: number; disagreement: Disagreement }[] = [];
  const nameOf = (index: number): string => `#${index} of seed ${options.seed}`;
  const work = cases
    .map((genome, index) => ({ genome, index }))
    .filter(({ index }) => isWanted(options, nameOf(index)));
  await forEachConcurrently(work, options.workers, async ({ genome, index }, worker) => {
    const scenario = generator.build(genome);
    const { answers, disagreements } = await play(context, scenario, worker);
    report.cases += 1;
    report.runs += answers.size;
    for (const answer of answers.values()) if (answer.status !== 0) report.refused += 1;
    for (const subject of generator.occurring(genome, [...answers.values()]))
      counts.set(subject, (counts.get(subject) ?? 0) + 1);
    for (const disagreement of disagreements) {
      noteDisagreement(report, nameOf(index), disagreement);
    }
    const [first] = disagreements;
    if (first !== undefined) wrong.push({ index, disagreement: first });
  });

  const rows = [...counts].map(([subject, n]) => [
    subject,
    String(n),
    `${((100 * n) / work.length).toFixed(0)} %`,
  ]);
  printTable(['subject', 'cases', 'share'], rows);
  for (const [subject, n] of counts) {
    if (n < work.length * leastShare && work.length >= countedFrom)
      report.faults.push(`only ${n} of ${work.length} cases have ${subject}`);
  }
  if (options.isLong && work.length < generator.counts.least) {
    report.faults.push(`only ${work.length} cases, ${generator.counts.least} are wanted`);
  }

  for (const { index, disagreement } of distinct(wrong).slice(0, shrunkAtMost)) {
    const small = await shrink(context, generator, { index, disagreement });
    console.log(`\nsmallest form of #${index} (${disagreement.facets.join(', ')}):\n${printScenario(small)}`);
    if (options.save) save(small, `${generator.kind}-${options.seed}-${index}`);
  }
  return report;
}

async function play(context: Context, scenario: Scenario, worker: number): Promise<Comparison> {
  const sandbox = new Sandbox(scenario, path.join(context.scratch, `generated-${worker}`), context.server);
  try {
    return await compareScenario(scenario, sandbox, context);
  } finally {
    sandbox.remove();
  }
}

/** Returns one disagreement of each combination of facets and first error line: others probably have the same cause. */
function distinct<T extends { disagreement: Disagreement }>(wrong: readonly T[]): T[] {
  const seen = new Map<string, T>();
  for (const one of wrong) {
    const { facets, cargo, subject } = one.disagreement;
    const firstError = (text: string): string =>
      (/^error: .*/m.exec(text)?.[0] ?? '').replace(/`[^`]*`/g, '``').replace(/\d+/g, 'N');
    const key = [facets.join(), firstError(cargo.stderr), firstError(subject.stderr)].join('|');
    if (!seen.has(key)) seen.set(key, one);
  }
  return [...seen.values()];
}

/** Returns the smallest case found within the time limit that still differs in the same first facet. */
async function shrink<Gene>(
  context: Context,
  generator: Generator<Gene>,
  found: { readonly index: number; readonly disagreement: Disagreement },
): Promise<Scenario> {
  const [facet] = found.disagreement.facets;
  let smallest: Scenario | null = null;
  const deadline = Date.now() + shrinkMs;
  const property = fc.asyncProperty(generator.genomes, async (genome: Gene) => {
    if (Date.now() > deadline) return true;
    const scenario = generator.build(genome);
    const { disagreements } = await play(context, scenario, context.options.workers);
    const same = disagreements.find(({ facets }) => facet !== undefined && facets.includes(facet));
    if (same === undefined) return true;
    // Runs after the one that differs add nothing.
    const last = scenario.runs.findIndex((run) => run.name === same.run);
    smallest = { ...scenario, runs: scenario.runs.slice(0, last + 1) };
    return false;
  });
  await fc.check(property, {
    seed: context.options.seed,
    path: String(found.index),
    numRuns: 1,
    unbiased: true,
  });
  const { seed } = context.options;
  const original = fc.sample(generator.genomes, { seed, numRuns: found.index + 1 })[found.index] as Gene;
  return smallest ?? generator.build(original);
}

function save(scenario: Scenario, name: string): void {
  const topic = `${scenario.command ?? 'metadata'}/${name}`;
  const dir = path.join(projectRoot, 'fixtures', topic);
  mkdirSync(dir, { recursive: true });
  writeFileSync(path.join(dir, 'case.toml'), printScenario(scenario));
  console.log(`saved as fixtures/${topic}: give it a name and one line, and run npm run record ${topic}`);
}
