import { type Answer, differingFacets, type Facet } from '../helpers/answer.ts';
import type { Program } from '../helpers/program.ts';
import type { Sandbox } from '../helpers/sandbox.ts';
import type { Scenario } from '../helpers/scenario.ts';
import { isTree, isWhole, lacksConnection, lacksPackage } from './known-panic.ts';
import { withLegacyIds } from './legacy-ids.ts';
import { legacyArgs, type Subject } from './subject.ts';

/** A part of the subject's result that can be wrong. `plain` is the exit status without `TSREG_COMPAT`. */
export type JudgedFacet = Facet | 'legacy' | 'plain';

/** A run in which the subject and cargo differ. */
export interface Disagreement {
  readonly run: string;
  readonly facets: readonly JudgedFacet[];
  readonly cargo: Answer;
  readonly subject: Answer;
  /** The document in the older format, if that is what differs. */
  readonly legacy?: { readonly expected: string; readonly got: string };
}

/** The result of one scenario. */
export interface Comparison {
  readonly answers: ReadonlyMap<string, Answer>;
  readonly disagreements: readonly Disagreement[];
}

/**
 * How often cargo runs again if a result differs. It iterates some sets in random order, and each of its results is
 * correct. Of two equally likely results, eight repetitions missed one in about one of a thousand cases.
 */
const repetitions = 24;

/** Plays the scenario's runs with cargo, then from the start with the subject, in the same sandbox. */
export async function compareScenario(
  scenario: Scenario,
  sandbox: Sandbox,
  programs: { readonly oracle: Program; readonly subject: Subject },
): Promise<Comparison> {
  const { oracle, subject } = programs;
  const answers = new Map<string, Answer>();
  sandbox.start();
  for (const run of scenario.runs) {
    const answer = await sandbox.run(oracle, run);
    answers.set(run.name, answer);
    if (answer.status !== 0) sandbox.keepHome(run.name);
  }

  const disagreements: Disagreement[] = [];
  sandbox.start();
  for (const run of scenario.runs) {
    const cargo = answers.get(run.name);
    if (cargo === undefined) continue;
    sandbox.apply(run);
    const restoreBefore = sandbox.saveLockFiles();
    const answer = await sandbox.ask(subject.program, run);
    const isExcused = (lacksPackage(cargo) && isWhole(answer)) || (lacksConnection(cargo) && isTree(answer));
    const facets: JudgedFacet[] = isExcused ? [] : differingFacets(cargo, answer);
    // A failed run may leave anything in CARGO_HOME, so the next one starts with cargo's.
    if (cargo.status !== 0) sandbox.takeHome(run.name);
    const isDocument = cargo.status === 0 && cargo.stdout.startsWith('{"packages":');
    let legacy: Disagreement['legacy'];
    if (subject.plain !== null && isDocument && answer.status === 0) {
      const expected = withLegacyIds(cargo.stdout);
      // This run starts with the same lock file, but the result of the main run stays.
      const restoreAfter = sandbox.saveLockFiles();
      restoreBefore();
      const { stdout: got } = await sandbox.ask(subject.program, run, legacyArgs);
      restoreAfter();
      if (expected !== got) {
        facets.push('legacy');
        legacy = { expected, got };
      }
    }
    if (subject.plain !== null && scenario.failures === true && cargo.status !== 0) {
      const { status } = await sandbox.run(subject.plain, run);
      if (status !== 101) facets.push('plain');
    }
    if (facets.length > 0) {
      disagreements.push({
        run: run.name,
        facets,
        cargo,
        subject: answer,
        ...(legacy === undefined ? {} : { legacy }),
      });
    }
  }
  return { answers, disagreements: await withoutVarying(disagreements, scenario, { sandbox, oracle }) };
}

/** Removes disagreements with results that cargo does not always give. */
async function withoutVarying(
  disagreements: readonly Disagreement[],
  scenario: Scenario,
  { sandbox, oracle }: { readonly sandbox: Sandbox; readonly oracle: Program },
): Promise<readonly Disagreement[]> {
  let left = disagreements;
  for (let time = 0; time < repetitions && left.some(isVariable); time += 1) {
    const again = new Map<string, Answer>();
    sandbox.start();
    for (const run of scenario.runs) again.set(run.name, await sandbox.run(oracle, run));
    left = left.filter((disagreement) => {
      const answer = again.get(disagreement.run);
      return (
        answer === undefined ||
        !isVariable(disagreement) ||
        differingFacets(answer, disagreement.subject).length > 0
      );
    });
  }
  return left;
}

/** Returns whether all facets compare with cargo's direct result. */
function isVariable({ facets }: Disagreement): boolean {
  return !facets.some((facet) => facet === 'legacy' || facet === 'plain');
}
