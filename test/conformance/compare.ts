import { type Answer, differingFacets, type Facet } from '../helpers/answer.ts';
import type { Program } from '../helpers/program.ts';
import type { Sandbox } from '../helpers/sandbox.ts';
import type { Scenario } from '../helpers/scenario.ts';
import { isTree, isWhole, lacksConnection, lacksPackage } from './known-panic.ts';
import { withLegacyIds } from './legacy-ids.ts';
import { legacyArgs, type Subject } from './subject.ts';

/** A part in which the subject's answer can be wrong. `plain` is the exit status without `TSREG_COMPAT`. */
export type JudgedFacet = Facet | 'legacy' | 'plain';

/** A run on which the subject and cargo do not agree. */
export interface Disagreement {
  readonly run: string;
  readonly facets: readonly JudgedFacet[];
  readonly cargo: Answer;
  readonly subject: Answer;
  /** The document in the older form, where that is what differs. */
  readonly legacy?: { readonly expected: string; readonly got: string };
}

/** What came of one scenario. */
export interface Comparison {
  readonly answers: ReadonlyMap<string, Answer>;
  readonly disagreements: readonly Disagreement[];
}

/**
 * How often cargo is asked again where an answer differs. It goes through some of its sets in another order each
 * time; an answer that it gives now and then is right. Of two that are equally likely, eight times missed one once in
 * some thousand cases.
 */
const repetitions = 24;

/** Plays the scenario's runs with cargo, then from the beginning with the subject, in one sandbox. */
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
    const before = sandbox.lockFile();
    const answer = await sandbox.ask(subject.program, run);
    const isExcused = (lacksPackage(cargo) && isWhole(answer)) || (lacksConnection(cargo) && isTree(answer));
    const facets: JudgedFacet[] = isExcused ? [] : differingFacets(cargo, answer);
    // A run that failed may leave in CARGO_HOME what it wants: the next one begins with what cargo left.
    if (cargo.status !== 0) sandbox.takeHome(run.name);
    const isDocument = cargo.status === 0 && cargo.stdout.startsWith('{"packages":');
    let legacy: Disagreement['legacy'];
    if (subject.plain !== null && isDocument && answer.status === 0) {
      const expected = withLegacyIds(cargo.stdout);
      // Asked from the same lock file, which then becomes what the run proper made of it.
      const after = sandbox.lockFile();
      sandbox.putLockFile(before);
      const { stdout: got } = await sandbox.ask(subject.program, run, legacyArgs);
      sandbox.putLockFile(after);
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

/** Takes away the disagreements with what cargo itself does not always answer. */
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

/** True if a disagreement is one with cargo's very answer. */
function isVariable({ facets }: Disagreement): boolean {
  return !facets.some((facet) => facet === 'legacy' || facet === 'plain');
}
