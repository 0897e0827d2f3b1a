import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { loadConfig } from '../../src/io/config/config.ts';
import { fileRelease } from '../../src/commands/publish/file-release.ts';
import { type Answer, differingFacets } from '../helpers/answer.ts';
import { runProgram } from '../helpers/program.ts';
import { projectRoot } from '../helpers/project-root.ts';
import { recordingContext } from '../helpers/recording-report.ts';
import { ask, type Checkout } from './checkout.ts';
import { type Context, isWanted, lastingFolder } from './context.ts';
import { builtCrates, packagedCrates } from './packaged-crates.ts';
import { forEachConcurrently } from './pool.ts';
import { type KindReport, newReport, noteDisagreement } from './report.ts';

/** The quick form packages one crate in this many. */
const quickStep = 9;
const least = {
  quick: { crates: 25, archives: 18, builds: 3 },
  long: { crates: 200, archives: 150, builds: 20 },
} as const;

/** The runs of every crate. `--list --message-format json` needs a nightly cargo. */
const asked = [
  { name: 'list', args: ['--list'] },
  {
    name: 'list as JSON',
    args: ['--list', '--message-format', 'json', '-Zunstable-options'],
    env: { __CARGO_TEST_CHANNEL_OVERRIDE_DO_NOT_USE_THIS: 'nightly' },
  },
  { name: 'package', args: ['--no-verify'] },
] as const;

/** Packages published crates again, each from its original manifest, and compares the results. */
export async function comparePackagedCrates(context: Context): Promise<KindReport> {
  const report = newReport('package-crates');
  const { options } = context;
  const specs = packagedCrates
    .map((spec, index) => ({ spec, index }))
    .filter(
      ({ spec, index }) =>
        isWanted(options, spec) && (options.isLong || options.filter !== null || index % quickStep === 0),
    );
  const built = [...builtCrates].filter((spec) => isWanted(options, spec));
  const counts = { archives: 0, builds: 0 };
  const work = [
    ...specs.map((one) => ({ ...one, builds: false })),
    ...built.slice(0, options.isLong ? undefined : least.quick.builds).map((spec, index) => ({
      spec,
      index,
      builds: true,
    })),
  ];
  await forEachConcurrently(work, options.workers, async ({ spec, index, builds }, worker) => {
    const root = path.join(context.scratch, `packaged-${worker}`, spec);
    const checkout = await unpackCrate(context, spec, { root, lasting: lastingFolder('crates', worker) });
    if (checkout === null) {
      report.faults.push(`${spec}: cargo cannot fetch it`);
      return;
    }
    // Every second crate runs without its published lock file.
    if (index % 2 === 1) rmSync(path.join(root, 'Cargo.lock'), { force: true });
    if (builds) {
      // Both programs build with the reference and its compiler.
      const [cargoFile] = context.oracle.command;
      const toolchain = context.oracle.env;
      const env = { ...toolchain, PATH: `${path.dirname(cargoFile)}:${toolchain['PATH'] ?? ''}` };
      const cargo = await compareRun(context, checkout, { report, run: { name: 'build', args: [], env } });
      if (cargo.status === 0) counts.builds += 1;
    } else {
      report.cases += 1;
      for (const run of asked) {
        const cargo = await compareRun(context, checkout, { report, run });
        if (run.name === 'package' && cargo.packaged.length > 0) counts.archives += 1;
      }
    }
    rmSync(root, { recursive: true, force: true });
  });
  const published = await checkPublished(report);
  console.log(
    `package-crates: ${counts.archives} archives, ${counts.builds} built, ${published} can be published`,
  );
  if (options.isLong && options.filter === null && published < 500)
    report.faults.push(`only ${published} archives can be published, 500 are wanted`);
  if (options.filter === null) {
    const wanted = least[options.isLong ? 'long' : 'quick'];
    const got = { crates: report.cases, ...counts };
    for (const key of ['crates', 'archives', 'builds'] as const) {
      if (got[key] < wanted[key]) report.faults.push(`only ${got[key]} ${key}, ${wanted[key]} are wanted`);
    }
  }
  return report;
}

/** Counts the archives in the homes of all crates that `publish FILE.crate` accepts; the others are faults. */
async function checkPublished(report: KindReport): Promise<number> {
  const { context } = recordingContext();
  const homes = path.join(projectRoot, '.tmp', 'conformance', 'crates');
  const files = readdirSync(homes, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.crate') && file.includes(path.join('registry', 'cache')),
  );
  const config = loadConfig({ cwd: homes, env: { CARGO_HOME: homes }, report: context.report });
  const names = new Set<string>();
  for (const file of files) {
    try {
      await fileRelease({ file, config, registry: { registry: null, index: null } }, context);
      names.add(path.basename(file));
    } catch (error) {
      report.faults.push(`${path.basename(file)} cannot be published: ${describeError(error)}`);
    }
  }
  return names.size;
}

/** Returns the messages of an error and its causes. */
function describeError(error: unknown): string {
  return error instanceof Error
    ? [error.message, ...(error.cause === undefined ? [] : [describeError(error.cause)])].join(': ')
    : String(error);
}

/** Runs both programs, each on the unpacked crate without changes, and returns cargo's result. */
async function compareRun(
  context: Context,
  checkout: Checkout,
  { report, run }: { readonly report: KindReport; readonly run: Run },
): Promise<Answer> {
  const lockFile = path.join(checkout.root, 'Cargo.lock');
  const lock = existsSync(lockFile) ? readFileSync(lockFile) : null;
  const reset = (): void => {
    rmSync(path.join(checkout.root, 'target'), { recursive: true, force: true });
    if (lock === null) rmSync(lockFile, { force: true });
    else writeFileSync(lockFile, lock);
  };
  const args = ['package', '--allow-dirty', '--offline', ...run.args];
  await warmUp(context, checkout, run);
  reset();
  const cargo = await ask(context.oracle, checkout, args, run.env);
  reset();
  const subject = await ask(context.subject.program, checkout, args, run.env);
  reset();
  report.runs += 1;
  if (cargo.status !== 0) report.refused += 1;
  const facets = differingFacets(cargo, subject);
  if (facets.length > 0) noteDisagreement(report, checkout.name, { run: run.name, facets, cargo, subject });
  return cargo;
}

interface Run {
  readonly name: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/**
 * Makes cargo fetch the packages of a run, so that both programs use the same cache, regardless of new releases. It
 * runs once for each crate and home.
 */
async function warmUp(context: Context, checkout: Checkout, run: Run): Promise<void> {
  if (run.args.includes('--list')) return;
  const marks = path.join(path.dirname(checkout.home), 'warmed');
  const mark = path.join(marks, `${checkout.name}-${run.name}`);
  if (existsSync(mark)) return;
  const { stderr } = await ask(context.oracle, checkout, ['package', '--allow-dirty', ...run.args]);
  // Without a network it is tried again next time.
  if (/\b(?:network|download of|Could not resolve|spurious)\b/.test(stderr)) return;
  mkdirSync(marks, { recursive: true });
  writeFileSync(mark, '');
}

/**
 * Copies the unpacked folder of a crate to `root` and restores its original manifest. cargo fetches the crate if the
 * home in `lasting` does not have it. Returns null if there is no such crate.
 */
async function unpackCrate(
  { oracle }: Context,
  spec: string,
  { root, lasting }: { readonly root: string; readonly lasting: string },
): Promise<Checkout | null> {
  const home = path.join(lasting, 'home');
  mkdirSync(home, { recursive: true });
  const find = (): string | undefined => {
    const sources = path.join(home, 'registry', 'src');
    return (existsSync(sources) ? readdirSync(sources) : [])
      .map((registry) => path.join(sources, registry, spec.replace('@', '-')))
      .find((dir) => existsSync(path.join(dir, '.cargo-ok')));
  };
  if (find() === undefined) {
    await runProgram(oracle, ['info', '--registry', 'crates-io', spec], {
      cwd: home,
      env: { PATH: oracle.env['PATH'] ?? '', HOME: lasting, CARGO_HOME: home },
    });
  }
  const unpacked = find();
  if (unpacked === undefined) return null;
  rmSync(root, { recursive: true, force: true });
  cpSync(unpacked, root, { recursive: true });
  for (const name of ['.cargo-ok', '.cargo_vcs_info.json']) rmSync(path.join(root, name), { force: true });
  const original = path.join(root, 'Cargo.toml.orig');
  if (existsSync(original)) renameSync(original, path.join(root, 'Cargo.toml'));
  return { name: spec, root, home };
}
