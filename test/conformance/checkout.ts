import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type Answer, differingFacets } from '../helpers/answer.ts';
import { listPackaged } from '../helpers/packaged.ts';
import { type Program, runProgram } from '../helpers/program.ts';
import type { JudgedFacet } from './compare.ts';
import type { Context } from './context.ts';
import { type FlagSet, flagSets } from './flag-sets.ts';
import { withLegacyIds } from './legacy-ids.ts';
import { type KindReport, noteDisagreement } from './report.ts';
import { legacyArgs } from './subject.ts';

/** A real workspace on disk, with a CARGO_HOME that both programs use. */
export interface Checkout {
  readonly name: string;
  readonly root: string;
  readonly home: string;
}

interface MemberFeatures {
  readonly packages: readonly { readonly name: string; readonly features: Record<string, unknown> }[];
}

/**
 * Compares a checkout with every set of flags. First cargo updates the index, fetches every package and creates a
 * missing lock file; after that both programs run from the same cache. `wanted` selects sets of flags.
 */
export async function compareCheckout(
  context: Context,
  checkout: Checkout,
  target: { readonly report: KindReport; readonly wanted: (set: FlagSet) => boolean },
): Promise<void> {
  const { oracle, subject } = context;
  const { report } = target;
  const lockFile = path.join(checkout.root, 'Cargo.lock');
  const original = existsSync(lockFile) ? readFileSync(lockFile) : null;
  const fetched = await ask(oracle, checkout, ['fetch']);
  const isFetched = fetched.status === 0;
  const lock = existsSync(lockFile) ? readFileSync(lockFile) : null;
  report.cases += 1;
  const restore = (bytes: Buffer | null): void => {
    if (bytes === null) rmSync(lockFile, { force: true });
    else writeFileSync(lockFile, bytes);
  };
  const members = await ask(oracle, checkout, ['metadata', '--format-version', '1', '--no-deps']);
  // If cargo cannot fetch the packages, it fails with most flags, after requests over the network. Two sets are enough.
  const sets = flagSets(members.status === 0 ? featureOf(members.stdout) : null).filter(
    (set) => target.wanted(set) && (isFetched || set.name === 'none' || set.name === 'no-deps'),
  );
  for (const set of sets) {
    // A workspace that has a lock file keeps exactly that one.
    const before = set.withoutLock === true ? null : (original ?? lock);
    const args = ['metadata', '--format-version', '1', ...set.args];
    restore(before);
    let cargo = await ask(oracle, checkout, args);
    // cargo 1.99 sometimes crashes at exit, after it has printed its error and the network was used.
    for (let crashes = 0; cargo.status === CRASH && crashes < 5; crashes += 1) {
      restore(before);
      cargo = await ask(oracle, checkout, args);
    }
    restore(before);
    const answer = await ask(subject.program, checkout, args);
    const facets: JudgedFacet[] = differingFacets(cargo, answer);
    let legacy: { expected: string; got: string } | undefined;
    if (subject.plain !== null && cargo.status === 0 && answer.status === 0) {
      restore(before);
      const { stdout: got } = await ask(subject.program, checkout, [...args, ...legacyArgs]);
      const expected = withLegacyIds(cargo.stdout);
      if (got !== expected) {
        facets.push('legacy');
        legacy = { expected, got };
      }
    }
    report.runs += 1;
    if (cargo.status !== 0) report.refused += 1;
    if (facets.length > 0) {
      noteDisagreement(report, checkout.name, {
        run: set.name,
        facets,
        cargo,
        subject: answer,
        ...(legacy === undefined ? {} : { legacy }),
      });
    }
  }
  restore(original);
}

/** The status of a run that a signal other than SIGKILL and SIGTERM ended. */
const CRASH = 128;

/** Runs `program` in a checkout. `env` is added to the variables of every run. */
export async function ask(
  program: Program,
  checkout: Checkout,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const result = await runProgram(program, args, {
    cwd: checkout.root,
    env: {
      PATH: program.env['PATH'] ?? process.env['PATH'] ?? '',
      HOME: path.dirname(checkout.home),
      CARGO_HOME: checkout.home,
      LC_ALL: 'C.UTF-8',
      ...env,
    },
    timeoutMs: 600_000,
  });
  const lockFile = path.join(checkout.root, 'Cargo.lock');
  return {
    ...result,
    lock: existsSync(lockFile) ? readFileSync(lockFile, 'utf8') : null,
    home: [],
    packaged: args[0] === 'package' ? listPackaged(checkout.root) : [],
  };
}

/** Returns a non-default feature of a member as `member/feature`; null if there is none. */
function featureOf(document: string): string | null {
  const { packages } = JSON.parse(document) as MemberFeatures;
  for (const { name, features } of packages) {
    const feature = Object.keys(features).find((text) => text !== 'default');
    if (feature !== undefined) return `${name}/${feature}`;
  }
  return null;
}
