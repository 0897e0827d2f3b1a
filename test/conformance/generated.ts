import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { projectRoot } from '../helpers/project-root.ts';
import { Sandbox } from '../helpers/sandbox.ts';
import { printScenario } from '../helpers/scenario-file.ts';
import type { Scenario } from '../helpers/scenario.ts';
import { compareScenario, type Comparison, type Disagreement } from './compare.ts';
import type { Context } from './context.ts';
import { buildCase } from './generator/build.ts';
import { type Genome, genomes } from './generator/genome.ts';
import { occurring, subjects } from './generator/subjects.ts';
import { forEachConcurrently } from './pool.ts';
import { type KindReport, newReport, noteDisagreement, printTable } from './report.ts';

const quickCount = 120;
const longCount = 600;
/** A subject has to occur in at least this share of the cases. */
const leastShare = 0.05;
/** How many disagreements are made smaller, and how long that may take for each. */
const shrunkAtMost = 4;
const shrinkMs = 30_000;

/** Compares generated cases; shrinks what differs; counts what occurred. */
export async function compareGenerated(context: Context): Promise<KindReport> {
  const { options } = context;
  const report = newReport('generated');
  const count = options.count ?? (options.isLong ? longCount : quickCount);
  console.log(`generated: ${count} cases of seed ${options.seed}`);
  const cases = fc.sample(genomes, { seed: options.seed, numRuns: count });
  const counts = new Map<string, number>(subjects.map((subject) => [subject, 0]));
  const wrong: { index: number; disagreement: Disagreement }[] = [];
  const work = cases.map((genome, index) => ({ genome, index }));
  await forEachConcurrently(work, options.workers, async ({ genome, index }, worker) => {
    const { scenario, marks } = buildCase(genome);
    const { answers, disagreements } = await play(context, scenario, worker);
    report.cases += 1;
    report.runs += answers.size;
    for (const answer of answers.values()) if (answer.status !== 0) report.refused += 1;
    const locks = [...answers.values()].map((answer) => answer.lock);
    for (const subject of occurring(marks, locks)) counts.set(subject, (counts.get(subject) ?? 0) + 1);
    for (const disagreement of disagreements) {
      noteDisagreement(report, `#${index} of seed ${options.seed}`, disagreement);
    }
    const [first] = disagreements;
    if (first !== undefined) wrong.push({ index, disagreement: first });
  });

  const rows = [...counts].map(([subject, n]) => [subject, String(n), `${((100 * n) / count).toFixed(0)} %`]);
  printTable(['subject', 'cases', 'share'], rows);
  for (const [subject, n] of counts) {
    if (n < count * leastShare && count >= 100)
      report.faults.push(`only ${n} of ${count} cases have ${subject}`);
  }
  if (options.isLong && count < 500) report.faults.push(`only ${count} cases, 500 are wanted`);

  for (const { index, disagreement } of distinct(wrong).slice(0, shrunkAtMost)) {
    const small = await shrink(context, { index, disagreement });
    console.log(`\nsmallest form of #${index} (${disagreement.facets.join(', ')}):\n${printScenario(small)}`);
    if (options.save) save(small, `generated-${options.seed}-${index}`);
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

/** One of each combination of facets and first line of stderr: the others are likely the same. */
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

/** The smallest case found in the time that still differs in the same first facet. */
async function shrink(
  context: Context,
  found: { readonly index: number; readonly disagreement: Disagreement },
): Promise<Scenario> {
  const [facet] = found.disagreement.facets;
  let smallest: Scenario | null = null;
  const deadline = Date.now() + shrinkMs;
  const property = fc.asyncProperty(genomes, async (genome: Genome) => {
    if (Date.now() > deadline) return true;
    const { scenario } = buildCase(genome);
    const { disagreements } = await play(context, scenario, context.options.workers);
    const same = disagreements.find(({ facets }) => facet !== undefined && facets.includes(facet));
    if (same === undefined) return true;
    // Runs behind the one that differs show nothing more.
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
  return (
    smallest ??
    buildCase(
      fc.sample(genomes, { seed: context.options.seed, numRuns: found.index + 1 })[found.index] as Genome,
    ).scenario
  );
}

function save(scenario: Scenario, name: string): void {
  const dir = path.join(projectRoot, 'fixtures', name);
  mkdirSync(dir, { recursive: true });
  writeFileSync(path.join(dir, 'case.toml'), printScenario(scenario));
  console.log(`saved as fixtures/${name}: give it a name and one line, and run npm run record ${name}`);
}
