import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import type { Answer } from '../helpers/answer.ts';
import type { CrateDecl } from '../helpers/crate.ts';
import type { Program } from '../helpers/program.ts';
import type { Fault, SeenRequest } from '../helpers/registry-server.ts';
import { Sandbox } from '../helpers/sandbox.ts';
import type { RunDecl, Scenario } from '../helpers/scenario.ts';
import type { Context } from './context.ts';
import { type KindReport, newReport } from './report.ts';

const quickRounds = 15;
const longRounds = 100;

/**
 * Compares cargo and the subject on one CARGO_HOME: each uses the other's downloads, nothing is fetched twice, and both
 * can run at the same time.
 */
export async function compareSharedHome(context: Context): Promise<KindReport> {
  const report = newReport('shared-home');
  const { oracle, subject, options } = context;
  const orders = [
    { name: 'cargo first', first: oracle, second: subject.program },
    { name: 'subject first', first: subject.program, second: oracle },
  ];
  for (const { name, first, second } of orders) {
    report.cases += 1;
    for (const fault of await oneAfterTheOther(context, { first, second, report })) {
      report.faults.push(`${name}: ${fault}`);
    }
  }
  const rounds = options.isLong ? longRounds : quickRounds;
  const plans = fc.sample(plan, { seed: options.seed, numRuns: rounds });
  const sandbox = new Sandbox(sharedScenario, path.join(context.scratch, 'shared'), context.server);
  sandbox.start();
  const references = new Map<string, Answer>();
  for (const folder of folders) references.set(folder, await sandbox.ask(oracle, runIn(folder)));
  for (const [index, one] of plans.entries()) {
    report.cases += 1;
    for (const fault of await together(context, sandbox, { plan: one, references, report })) {
      report.faults.push(`interleaving ${index} of seed ${options.seed} (${JSON.stringify(one)}): ${fault}`);
    }
  }
  sandbox.remove();
  return report;
}

const folders = ['one', 'two', 'three'];

function runIn(folder: string, args: readonly string[] = []): RunDecl {
  return { name: folder, cwd: folder, args };
}

/** Three workspaces with overlapping dependencies from two sparse registries and a git repository. */
const sharedScenario: Scenario = {
  about: 'Several workspaces over one CARGO_HOME.',
  registries: { 'crates-io': { kind: 'sparse' }, alt: { kind: 'sparse' } },
  crates: [
    ...Array.from(
      { length: 12 },
      (_, at): CrateDecl => ({
        name: `crate-${at}`,
        version: `1.${at}.0`,
        ...(at % 4 === 3 ? { registry: 'alt' } : {}),
        ...(at % 4 === 0 && at < 8 ? { deps: [`crate-${at + 4} ^1`] } : {}),
        files: { 'src/lib.rs': 'x'.repeat(20_000 * (at % 3)), 'src/a/b.rs': '', 'README.md': '' },
      }),
    ),
  ],
  git: {
    shared: [
      {
        files: { 'Cargo.toml': '[package]\nname = "shared"\nversion = "0.1.0"\n', 'src/lib.rs': '' },
      },
    ],
  },
  files: Object.fromEntries(
    folders.flatMap((folder, at) => [
      [`${folder}/src/lib.rs`, ''],
      [
        `${folder}/Cargo.toml`,
        `[package]\nname = "${folder}"\nversion = "0.1.0"\nedition = "2021"\n[workspace]\n[dependencies]\nshared = { git = "file://$G/shared" }\n${Array.from(
          { length: 12 },
          (_, n) => n,
        )
          .filter((n) => (n + at) % 3 !== 0)
          .map((n) => `crate-${n} = { version = "1"${n % 4 === 3 ? ', registry = "alt"' : ''} }\n`)
          .join('')}`,
      ],
    ]),
  ),
  runs: [],
};

async function oneAfterTheOther(
  context: Context,
  programs: { first: Program; second: Program; report: KindReport },
): Promise<string[]> {
  const { first, second, report } = programs;
  const faults: string[] = [];
  const sandbox = new Sandbox(sharedScenario, path.join(context.scratch, 'shared-turns'), context.server);
  sandbox.start();
  const requests = context.server.requests;
  const since = async (program: Program, run: RunDecl): Promise<{ answer: Answer; seen: SeenRequest[] }> => {
    const before = requests.length;
    const answer = await sandbox.ask(program, run);
    report.runs += 1;
    return { answer, seen: requests.slice(before) };
  };
  for (const folder of folders) {
    const lock = path.join(sandbox.places.workspace, folder, 'Cargo.lock');
    const one = await since(first, runIn(folder));
    if (one.answer.status !== 0) faults.push(`${folder}: ${first.name} fails: ${one.answer.stderr}`);
    const written = existsSync(lock) ? readFileSync(lock, 'utf8') : null;

    const offline = await since(second, runIn(folder, ['--frozen']));
    if (offline.answer.stdout !== one.answer.stdout) {
      faults.push(`${folder}: ${second.name} --frozen answers otherwise: ${offline.answer.stderr}`);
    }
    const locked = await since(second, runIn(folder));
    if (locked.answer.stdout !== one.answer.stdout)
      faults.push(`${folder}: ${second.name} answers otherwise`);
    if (locked.seen.length > 0) faults.push(`${folder}: ${second.name} asks ${paths(locked.seen)} again`);

    rmSync(lock, { force: true });
    const again = await since(second, runIn(folder));
    if (again.answer.stdout !== one.answer.stdout) {
      faults.push(`${folder}: ${second.name} without lock file answers otherwise: ${again.answer.stderr}`);
    }
    if (existsSync(lock) && readFileSync(lock, 'utf8') !== written)
      faults.push(`${folder}: another lock file`);
    const fetched = again.seen.filter(
      ({ status, path: file }) => status !== 304 && !file.endsWith('/config.json'),
    );
    if (fetched.length > 0) faults.push(`${folder}: ${second.name} fetches ${paths(fetched)} again`);
  }
  faults.push(...damage(sandbox));
  sandbox.remove();
  return faults;
}

/** One round: which programs start when, and how the server behaves. */
interface Plan {
  readonly processes: readonly {
    readonly isSubject: boolean;
    readonly folder: number;
    readonly delayMs: number;
  }[];
  readonly slow: number;
}

const plan: fc.Arbitrary<Plan> = fc.record({
  processes: fc.array(
    fc.record({
      isSubject: fc.boolean(),
      folder: fc.nat({ max: folders.length - 1 }),
      delayMs: fc.nat({ max: 150 }),
    }),
    { minLength: 2, maxLength: 5 },
  ),
  slow: fc.nat({ max: 3 }),
});

async function together(
  context: Context,
  sandbox: Sandbox,
  round: { plan: Plan; references: ReadonlyMap<string, Answer>; report: KindReport },
): Promise<string[]> {
  const { oracle, subject, server } = context;
  const { references, report } = round;
  const faults: string[] = [];
  sandbox.start();
  const slow: Fault[] =
    round.plan.slow === 0 ? [] : [{ path: `crate-${round.plan.slow}`, kind: 'slow', delayMs: 30 }];
  sandbox.apply({ name: 'faults', faults: { 'crates-io': slow, alt: slow } });
  const before = server.requests.length;
  await Promise.all(
    round.plan.processes.map(async ({ isSubject, folder, delayMs }) => {
      await sleep(delayMs);
      const name = folders[folder] ?? '';
      const program = isSubject ? subject.program : oracle;
      const answer = await sandbox.ask(program, runIn(name));
      report.runs += 1;
      if (answer.status !== 0) faults.push(`${program.name} in ${name} fails: ${answer.stderr}`);
      else if (answer.stdout !== references.get(name)?.stdout)
        faults.push(`${program.name} in ${name} answers otherwise`);
    }),
  );
  const downloads = new Map<string, number>();
  for (const { path: file } of server.requests.slice(before)) {
    if (file.endsWith('/download')) downloads.set(file, (downloads.get(file) ?? 0) + 1);
  }
  for (const [file, times] of downloads) if (times > 1) faults.push(`${file} was fetched ${times} times`);
  faults.push(...damage(sandbox));
  for (const folder of new Set(round.plan.processes.map((one) => folders[one.folder] ?? ''))) {
    for (const program of [oracle, subject.program]) {
      const answer = await sandbox.ask(program, runIn(folder, ['--frozen']));
      if (answer.stdout !== references.get(folder)?.stdout) {
        faults.push(`afterwards ${program.name} --frozen in ${folder} answers otherwise: ${answer.stderr}`);
      }
    }
  }
  return faults;
}

/** Returns the errors in CARGO_HOME: archives that differ from the published ones, and incomplete folders. */
function damage(sandbox: Sandbox): string[] {
  const faults: string[] = [];
  const registry = path.join(sandbox.places.home, 'registry');
  for (const folder of list(path.join(registry, 'cache'))) {
    for (const file of list(path.join(registry, 'cache', folder))) {
      const bytes = readFileSync(path.join(registry, 'cache', folder, file));
      const checksum = createHash('sha256').update(bytes).digest('hex');
      if (!sandbox.checksums().has(checksum)) faults.push(`${file} in the cache is damaged`);
    }
  }
  for (const folder of list(path.join(registry, 'src'))) {
    for (const name of list(path.join(registry, 'src', folder))) {
      const dir = path.join(registry, 'src', folder, name);
      for (const file of ['.cargo-ok', 'Cargo.toml', 'src/lib.rs', 'src/a/b.rs', 'README.md']) {
        if (!existsSync(path.join(dir, file))) faults.push(`${name} is unpacked without ${file}`);
      }
    }
  }
  return faults;
}

function list(dir: string): string[] {
  return existsSync(dir) ? readdirSync(dir) : [];
}

function paths(requests: readonly SeenRequest[]): string {
  return [...new Set(requests.map((request) => request.path))].join(' ');
}
