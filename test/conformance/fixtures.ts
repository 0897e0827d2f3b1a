import path from 'node:path';
import { readFixtures } from '../helpers/scenario-file.ts';
import { Sandbox } from '../helpers/sandbox.ts';
import { compareScenario } from './compare.ts';
import { type Context, isWanted } from './context.ts';
import type { Scenario } from '../helpers/scenario.ts';
import type { Kind } from './options.ts';
import { forEachConcurrently } from './pool.ts';
import { type KindReport, newReport, noteDisagreement } from './report.ts';

/** The minimum number of wrong inputs of each kind. */
const leastFailures = { failures: 60, 'package-failures': 40 } as const;

/** Compares this project's fixtures for the command of `kind`: either the wrong inputs or all others. */
export async function compareFixtures(
  context: Context,
  kind: 'fixtures' | 'package-fixtures' | keyof typeof leastFailures,
): Promise<KindReport> {
  const report = newReport(kind);
  const least = kind === 'failures' || kind === 'package-failures' ? leastFailures[kind] : null;
  const fixtures = readFixtures().filter(
    ({ name, scenario }) => kindOf(scenario) === kind && isWanted(context.options, name),
  );
  await forEachConcurrently(fixtures, context.options.workers, async ({ name, sandboxName, scenario }) => {
    const sandbox = new Sandbox(
      scenario,
      path.join(context.scratch, `fixture-${sandboxName}`),
      context.server,
    );
    const { answers, disagreements } = await compareScenario(scenario, sandbox, context);
    report.cases += least === null ? 1 : scenario.runs.length;
    report.runs += scenario.runs.length;
    for (const { status } of answers.values()) if (status !== 0) report.refused += 1;
    for (const disagreement of disagreements) noteDisagreement(report, name, disagreement);
    sandbox.remove();
  });
  if (least !== null && report.cases < least && context.options.filter === null) {
    report.faults.push(`only ${report.cases} wrong inputs, ${least} are wanted`);
  }
  return report;
}

function kindOf({ command, failures }: Scenario): Kind {
  const kind = failures === true ? 'failures' : 'fixtures';
  return command === 'package' ? `package-${kind}` : kind;
}
