import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { differingFacets } from '../helpers/answer.ts';
import { ask, type Checkout } from './checkout.ts';
import { type Context, isWanted, lastingFolder } from './context.ts';
import { publishedCrates } from './crate-names.ts';
import { fetchCrate } from './crates.ts';
import { withIndentedDescription } from './indented-description.ts';
import { forEachConcurrently } from './pool.ts';
import { type KindReport, newReport, noteDisagreement } from './report.ts';

/** The quick form compares one crate in this many. */
const quickStep = 8;
/** The number of dependencies of each crate to compare. */
const dependenciesEach = 3;

/**
 * Compares `info` for published crates: as packages of the registry, as members of their workspace, and for their
 * dependencies. It runs offline, so that both programs see the same index.
 */
export async function compareInfoOfCrates(context: Context): Promise<KindReport> {
  const report = newReport('info-crates');
  const { options } = context;
  const names = publishedCrates.filter(
    (name, index) =>
      isWanted(options, name) && (options.isLong || options.filter !== null || index % quickStep === 0),
  );
  await forEachConcurrently(names, options.workers, async (name, worker) => {
    const checkout = await fetchCrate(context, name, lastingFolder('crates', worker));
    if (checkout === null) {
      report.faults.push(`${name}: cargo cannot fetch it`);
      return;
    }
    report.cases += 1;
    await compareOutside(context, checkout, report);
    await compareInside(context, checkout, report);
  });
  return report;
}

async function compareOutside(context: Context, checkout: Checkout, report: KindReport): Promise<void> {
  const root = path.join(path.dirname(checkout.home), 'nowhere');
  mkdirSync(root, { recursive: true });
  const [name = ''] = checkout.name.split('@');
  const outside = { ...checkout, root };
  await compareRun(context, outside, { args: [checkout.name], report });
  await compareRun(context, outside, { args: [name, '-v'], report });
  await compareRun(context, outside, { args: [name, '-v', '--color=always'], report });
  await compareRun(context, outside, { args: [name.replaceAll('-', '_').toUpperCase()], report });
}

async function compareInside(context: Context, checkout: Checkout, report: KindReport): Promise<void> {
  const [name = ''] = checkout.name.split('@');
  await compareRun(context, checkout, { args: [name, '-v'], report });
  const lockFile = path.join(checkout.root, 'Cargo.lock');
  const locked = existsSync(lockFile) ? readFileSync(lockFile, 'utf8') : '';
  const dependencies = [
    ...new Set(Array.from(locked.matchAll(/^name = "(.+)"$/gm), ([, found = '']) => found)),
  ];
  const step = Math.max(1, Math.floor(dependencies.length / dependenciesEach));
  for (const dependency of dependencies.filter((_, at) => at % step === 0).slice(0, dependenciesEach)) {
    await compareRun(context, checkout, { args: [dependency], report });
  }
}

async function compareRun(
  { oracle, subject }: Context,
  checkout: Checkout,
  { args, report }: { readonly args: readonly string[]; readonly report: KindReport },
): Promise<void> {
  const lockFile = path.join(checkout.root, 'Cargo.lock');
  const before = existsSync(lockFile) ? readFileSync(lockFile) : null;
  const restore = (): void => {
    if (before === null) rmSync(lockFile, { force: true });
    else writeFileSync(lockFile, before);
  };
  const whole = ['info', '--offline', ...args];
  const cargo = withIndentedDescription(await ask(oracle, checkout, whole));
  restore();
  const answer = await ask(subject.program, checkout, whole);
  restore();
  report.runs += 1;
  if (cargo.status !== 0) report.refused += 1;
  const facets = differingFacets(cargo, answer);
  if (facets.length > 0) {
    noteDisagreement(report, checkout.name, { run: args.join(' '), facets, cargo, subject: answer });
  }
}
