import path from 'node:path';
import fc from 'fast-check';
import { Sandbox } from '../helpers/sandbox.ts';
import { readFixtures } from '../helpers/scenario-file.ts';
import type { RunDecl, Scenario } from '../helpers/scenario.ts';
import { compareScenario } from './compare.ts';
import { type Context, isWanted } from './context.ts';
import { buildCase } from './generator/build.ts';
import { genomes } from './generator/genome.ts';
import { forEachConcurrently } from './pool.ts';
import { type KindReport, newReport, noteDisagreement } from './report.ts';

/** The number of scenarios of each origin; the long form has every fixture. */
const counts = { fixtures: 8, generated: { quick: 6, long: 150 } };
/** The maximum numbers of folders and packages in a scenario's runs. */
const most = { folders: 2, packages: 2 };

/**
 * Compares `locate-project`, `read-manifest`, `pkgid` and `version` in the workspaces of the fixtures and in generated
 * ones, after the first run of each has written a lock file.
 */
export async function compareProjectCommands(context: Context): Promise<KindReport> {
  const { options } = context;
  const report = newReport('project-commands');
  const fixtures = readFixtures()
    .filter(({ scenario: { command } }) => (command ?? 'metadata') === 'metadata')
    .map(({ name, scenario }) => ({ name, scenario }));
  const count = options.count ?? counts.generated[options.isLong ? 'long' : 'quick'];
  const { seed } = options;
  const generated = fc
    .sample(genomes, { seed, numRuns: count })
    .map((genome, index) => ({ name: `#${index} of seed ${seed}`, scenario: buildCase(genome).scenario }));
  const isEverything = options.isLong || options.filter !== null;
  const chosen = isEverything ? fixtures : everyNth(fixtures, counts.fixtures, seed);
  const cases = [...chosen, ...generated].filter(({ name }) => isWanted(options, name));
  await forEachConcurrently(cases, options.workers, async ({ name, scenario }, worker) => {
    const asked = askedAboutProjects(scenario);
    const sandbox = new Sandbox(asked, path.join(context.scratch, `projects-${worker}`), context.server);
    try {
      const { answers, disagreements } = await compareScenario(asked, sandbox, context);
      report.cases += 1;
      report.runs += answers.size;
      for (const answer of answers.values()) if (answer.status !== 0) report.refused += 1;
      for (const disagreement of disagreements) noteDisagreement(report, name, disagreement);
    } finally {
      sandbox.remove();
    }
  });
  return report;
}

/** Returns about `count` of `items`, evenly spread, with an offset that depends on the seed. */
function everyNth<T>(items: readonly T[], count: number, seed: number): readonly T[] {
  const step = Math.max(1, Math.ceil(items.length / count));
  return items.filter((_, index) => index % step === seed % step);
}

/** Returns the scenario with its first run, followed by these commands for some of its folders and packages. */
function askedAboutProjects(scenario: Scenario): Scenario {
  const manifests = Object.entries(scenario.files).filter(([file]) => /(?:^|\/)Cargo\.toml$/.test(file));
  const folders = manifests.map(([file]) => path.posix.dirname(file)).filter((folder) => folder !== '.');
  const texts = manifests.map(([, text]) => (typeof text === 'string' ? text : ''));
  const names = texts.flatMap((text) => /^name *= *["']([^"'\n]*)/m.exec(text)?.[1] ?? []);
  const crates = (scenario.crates ?? []).map(({ name, version }) => `${name}@${version}`);
  const specs = [...names.slice(0, most.packages), ...crates.slice(0, most.packages)];
  const runs: RunDecl[] = [
    ...scenario.runs.slice(0, 1),
    ...['.', ...folders.slice(0, most.folders)].flatMap((cwd) => [
      bare(`locate-project in ${cwd}`, ['locate-project', '--workspace'], cwd),
      bare(`read-manifest in ${cwd}`, ['read-manifest'], cwd),
      bare(`pkgid in ${cwd}`, ['pkgid'], cwd),
    ]),
    bare('locate-project', ['locate-project', '--message-format', 'plain'], '.'),
    ...specs.map((spec) => bare(`pkgid ${spec}`, ['pkgid', spec], '.')),
    ...names.slice(0, 1).map((name) => bare('pkgid mistyped', ['pkgid', `${name}x`], '.')),
    bare('version', ['version'], '.'),
  ];
  const { failures: _failures, ...rest } = scenario;
  // The configuration of some scenarios needs variables, such as those of an unstable feature.
  const env = scenario.runs[0]?.env ?? {};
  const unique = new Map(runs.map((run) => [run.name, { ...run, env }]));
  return { ...rest, runs: [...unique.values()] };
}

function bare(name: string, args: readonly string[], cwd: string): RunDecl {
  return { name, args, bare: true, ...(cwd === '.' ? {} : { cwd }) };
}
