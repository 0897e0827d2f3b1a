import { execFile } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { buildCrate } from '../test/helpers/crate.ts';
import { type RegistryServer, startRegistryServer } from '../test/helpers/registry-server.ts';
import { generateCrates } from './generated-crates.ts';
import { bestAttempt, type Command, median, peakMegabytes, timeRounds } from './measure.ts';
import type { Figure, Row } from './row.ts';
import type { Subject } from './subject.ts';
import type { Place, Workbench } from './workbench.ts';

const SIZES = [250, 500, 1000, 2000, 4000];
const SIZES_IN_QUICK_RUNS = [250, 500, 1000];

/** The maximum ratio of the cost per package to the cost among fewer packages: 1, plus the variation between runs. */
const LIMIT = 1.3;

const ARGS = ['metadata', '--format-version', '1', '--offline'];

/** A workspace with `packages` packages. */
interface Sized {
  readonly packages: number;
  readonly place: Place;
}

const CASES: readonly {
  readonly title: string;
  readonly before?: (place: Place, sample: number) => void;
}[] = [
  { title: 'warm' },
  {
    title: 'edited',
    before: ({ cwd }, sample) => writeManifest(cwd, `[package.metadata.bench]\nedits = ${sample}\n`),
  },
  {
    title: 'first run',
    before: ({ home }) => rmSync(path.join(home, 'tsreg', 'cache'), { recursive: true, force: true }),
  },
  { title: 'new lock', before: ({ cwd }) => rmSync(path.join(cwd, 'Cargo.lock')) },
];

/**
 * Workspaces of growing size with generated packages. The cost per package, without the start of Node, may not grow
 * with the number of packages.
 */
export const growth: Subject = {
  name: 'growth',
  title: 'metadata --offline, generated',
  standsAlone: true,
  async measure(bench: Workbench): Promise<readonly Row[]> {
    const sizes = bench.isQuick ? SIZES_IN_QUICK_RUNS : SIZES;
    const inputs: Sized[] = [];
    {
      await using server = await startRegistryServer();
      for (const packages of sizes) inputs.push(await prepare(bench, server, packages));
    }
    const rows: Row[] = [];
    for (const { title, before } of CASES) {
      let sample = 0;
      const places = inputs.map(({ place }) =>
        before === undefined ? place : { ...place, before: () => before(place, (sample += 1)) },
      );
      const measured = await bestAttempt(() => measureCase(bench, title, sizes, places), bench.attempts);
      rows.push(...measured.rows);
    }
    return rows;
  },
};

/** Measures all sizes of one case. `figures` are those of all `rows`. */
async function measureCase(
  bench: Workbench,
  title: string,
  sizes: readonly number[],
  places: readonly Place[],
): Promise<{ readonly rows: readonly Row[]; readonly figures: readonly Figure[] }> {
  const ours = places.map((place) => bench.tsreg(ARGS, place));
  const theirs = places.map((place) => bench.cargo(ARGS, place));
  const bare = bench.bareNode;
  const rounds = await timeRounds([bare, ...ours, ...theirs], bench.rounds(9));
  const timeAt = (at: number): number => median(rounds.map((times) => times[at] ?? Number.NaN));
  const ratioAt = (at: number): number =>
    median(
      rounds.map((times) => (times[1 + at] ?? Number.NaN) / (times[1 + sizes.length + at] ?? Number.NaN)),
    );
  const bareMegabytes = await peakMegabytes(bare);
  let leastMs = Number.POSITIVE_INFINITY;
  let leastMegabytes = Number.POSITIVE_INFINITY;
  const rows: Row[] = [];
  for (const [at, packages] of sizes.entries()) {
    const eachMs = (timeAt(1 + at) - timeAt(0)) / packages;
    const eachMegabytes = ((await peakMegabytes(commandAt(ours, at))) - bareMegabytes) / packages;
    const isFirst = at === 0;
    const grown: Figure[] = [
      { beside: 'fewer packages', ratio: isFirst ? 1 : eachMs / leastMs, limit: LIMIT },
      { beside: 'fewer, memory', ratio: isFirst ? 1 : eachMegabytes / leastMegabytes, limit: LIMIT },
    ];
    leastMs = Math.min(leastMs, eachMs);
    leastMegabytes = Math.min(leastMegabytes, eachMegabytes);
    rows.push({
      ...{ workspace: `${packages}, ${title}`, ours: eachMs * 1000, unit: 'µs each' },
      figures: [{ beside: 'cargo', ratio: ratioAt(at), limit: null }, ...grown],
    });
  }
  return { rows, figures: rows.flatMap(({ figures }) => figures) };
}

function commandAt(commands: readonly Command[], at: number): Command {
  const command = commands[at];
  if (command === undefined) throw new Error(`no command ${at}`);
  return command;
}

/** Creates a workspace that depends on all packages of a new registry, and a home that has them cached. */
async function prepare(bench: Workbench, server: RegistryServer, packages: number): Promise<Sized> {
  console.error(`Preparing ${packages} packages …`);
  const base = path.join(bench.folder, `growth-${packages}`);
  const place = { cwd: path.join(base, 'ws'), home: path.join(base, 'home') };
  mkdirSync(path.join(place.cwd, 'src'), { recursive: true });
  mkdirSync(place.home);
  writeFileSync(path.join(place.cwd, 'src', 'lib.rs'), '');
  writeManifest(place.cwd, '');
  const name = `of-${packages}`;
  server.mount(name, { crates: generateCrates(packages - 1).map((decl) => buildCrate(decl, () => '')) });
  writeFileSync(
    path.join(place.home, 'config.toml'),
    `source.crates-io.replace-with = "generated"\nsource.generated.registry = "sparse+${server.url}/${name}/"\n`,
  );
  const { file, args, cwd, env } = bench.cargo(['metadata', '--format-version', '1'], place);
  await promisify(execFile)(file, [...args], { cwd, env, maxBuffer: 1 << 28 });
  server.unmount(name);
  return { packages, place };
}

function writeManifest(root: string, more: string): void {
  writeFileSync(
    path.join(root, 'Cargo.toml'),
    `[package]\nname = "root"\nversion = "0.1.0"\nedition = "2021"\n[dependencies]\np0 = "1"\n${more}`,
  );
}
