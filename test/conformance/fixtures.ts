import path from 'node:path';
import { readFixtures } from '../helpers/scenario-file.ts';
import { Sandbox } from '../helpers/sandbox.ts';
import { compareScenario } from './compare.ts';
import { type Context, isWanted } from './context.ts';
import { forEachConcurrently } from './pool.ts';
import { type KindReport, newReport, noteDisagreement } from './report.ts';

/** Compares the project's own fixtures: the wrong inputs (`failures`), or all others. */
export async function compareFixtures(context: Context, kind: 'fixtures' | 'failures'): Promise<KindReport> {
  const report = newReport(kind);
  const fixtures = readFixtures().filter(
    ({ name, scenario }) =>
      (scenario.failures === true) === (kind === 'failures') && isWanted(context.options, name),
  );
  await forEachConcurrently(fixtures, context.options.workers, async ({ name, scenario }) => {
    const sandbox = new Sandbox(scenario, path.join(context.scratch, `fixture-${name}`), context.server);
    const { answers, disagreements } = await compareScenario(scenario, sandbox, context);
    report.cases += kind === 'failures' ? scenario.runs.length : 1;
    report.runs += scenario.runs.length;
    for (const [run, answer] of answers) {
      if (answer.status !== 0) report.refused += 1;
      else if (kind === 'failures') report.faults.push(`${name} › ${run}: cargo accepts it`);
    }
    for (const disagreement of disagreements) noteDisagreement(report, name, disagreement);
    sandbox.remove();
  });
  if (kind === 'failures' && report.cases < 60 && context.options.filter === null) {
    report.faults.push(`only ${report.cases} wrong inputs, 60 are wanted`);
  }
  return report;
}
