import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { runProgram } from '../helpers/program.ts';
import { type Checkout, compareCheckout } from './checkout.ts';
import { type Context, isWanted, lastingFolder } from './context.ts';
import { publishedCrates } from './crate-names.ts';
import { forEachConcurrently } from './pool.ts';
import { type KindReport, newReport } from './report.ts';

/** The quick form compares one crate in this many. */
const quickStep = 6;
/** The sets of flags of the quick form. */
const quickSets = new Set([
  'no-deps',
  'none',
  'x86_64-pc-windows-msvc',
  'all-features',
  'offline without lock',
]);

/** Compares published crates, each as the root of its own workspace. */
export async function comparePublishedCrates(context: Context): Promise<KindReport> {
  const report = newReport('crates');
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
    await compareCheckout(context, checkout, {
      report,
      wanted: (set) => options.isLong || quickSets.has(set.name),
    });
  });
  if (options.isLong && options.filter === null && report.cases < 100) {
    report.faults.push(`only ${report.cases} crates, 100 are wanted`);
  }
  return report;
}

/**
 * Makes cargo fetch a crate as a dependency and copies its unpacked folder to a separate place. `spec` is `name` or
 * `name@version`. Returns null if there is no such crate.
 */
export async function fetchCrate(context: Context, spec: string, lasting: string): Promise<Checkout | null> {
  const [name = '', version] = spec.split('@');
  const home = path.join(lasting, 'home');
  const root = path.join(lasting, 'roots', spec);
  mkdirSync(home, { recursive: true });
  if (existsSync(path.join(root, 'Cargo.toml'))) return { name: spec, root, home };
  const probe = path.join(lasting, 'probe');
  rmSync(probe, { recursive: true, force: true });
  mkdirSync(path.join(probe, 'src'), { recursive: true });
  writeFileSync(path.join(probe, 'src', 'lib.rs'), '');
  writeFileSync(
    path.join(probe, 'Cargo.toml'),
    `[package]\nname = "probe"\n[dependencies.it]\npackage = "${name}"\nversion = "${version === undefined ? '*' : `=${version}`}"\n`,
  );
  const { oracle } = context;
  const found = await runProgram(oracle, ['metadata', '--format-version', '1'], {
    cwd: probe,
    env: { PATH: oracle.env['PATH'] ?? '', HOME: lasting, CARGO_HOME: home },
    timeoutMs: 600_000,
  });
  const chosen = found.status === 0 ? lockedVersion(path.join(probe, 'Cargo.lock'), name) : null;
  const sources = path.join(home, 'registry', 'src');
  const unpacked = (chosen === null ? [] : readdirSync(sources))
    .map((registry) => path.join(sources, registry, `${name}-${chosen}`))
    .find((dir) => existsSync(dir));
  if (unpacked === undefined) return null;
  cpSync(unpacked, root, { recursive: true });
  rmSync(path.join(root, '.cargo-ok'), { force: true });
  return { name: spec, root, home };
}

/** Returns the version of the probe's only direct dependency in its lock file. */
function lockedVersion(file: string, name: string): string | null {
  const text = readFileSync(file, 'utf8');
  const probe = /name = "probe"\n(?:.*\n)*?dependencies = \[\n "([^"]+)"/.exec(text)?.[1] ?? name;
  const version = probe.split(' ')[1];
  if (version !== undefined) return version;
  return new RegExp(`name = "${name}"\\nversion = "([^"]+)"`).exec(text)?.[1] ?? null;
}
