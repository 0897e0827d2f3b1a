import { execFileSync, spawn, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readPages } from '../helpers/code-blocks.ts';
import { runGit } from '../helpers/git-repo.ts';
import { listen } from '../helpers/listen.ts';
import type { Program } from '../helpers/program.ts';
import { projectRoot } from '../helpers/project-root.ts';
import { startPublicRegistry } from '../helpers/public-registry.ts';
import { onWindows } from '../helpers/system.ts';
import { makeTempDir } from '../helpers/temp-dir.ts';
import { screenOf } from '../helpers/terminal-screen.ts';
import { missingForTyping } from '../helpers/typed-shell.ts';

/**
 * Runs the five jobs of the README with a freshly installed package. Each job is a script in test/e2e/jobs with the
 * lines of the README. It runs in its own folder and home, which contain no files of tsreg.
 */

interface Job {
  readonly script: string;
  /** The start of its text in the README. */
  readonly title: string;
  /** The folder of fixtures/demo-round that the job runs in. If null, it runs in an empty folder. */
  readonly workspace: 'house' | 'kitchen' | null;
  /** Whether the job uses crates.io. */
  readonly isOnline: boolean;
  /** Programs that the job needs besides Node and npm. */
  readonly needs: readonly string[];
  /** Lines of stdout in their order. Other lines may come between them, and `…` matches any text. */
  readonly prints: readonly string[];
  /** The same for stderr. */
  readonly says: readonly string[];
}

const JOBS: readonly Job[] = [
  {
    script: 'metadata-into-jq',
    title: 'What does this workspace depend on?',
    workspace: 'house',
    isOnline: true,
    needs: ['jq'],
    prints: ['kettle 1.0.0', 'lantern 0.2.0'],
    says: ['    Updating crates.io index', '     Locking 2 packages to highest …compatible versions'],
  },
  {
    script: 'publish-from-ci',
    title: 'How do I publish from CI?',
    workspace: 'kitchen',
    isOnline: true,
    needs: ['git'],
    prints: [],
    says: [
      '   Packaging kettle v1.0.0 (…)',
      '   Uploading lantern v0.2.0 (…)',
      '   Published lantern v0.2.0 at registry `crates-io`',
    ],
  },
  {
    script: 'own-registry',
    title: 'How do I run a private registry?',
    workspace: null,
    isOnline: false,
    needs: [],
    prints: ['alice', 'token: command line', 'scopes: read, publish-new, publish-update, yank, owners'],
    says: ['       Login token for `own` saved'],
  },
  {
    script: 'tool-that-calls-cargo',
    title: 'Can I use tools that call',
    workspace: 'kitchen',
    isOnline: false,
    needs: [],
    prints: ['{"packages":[{"name":"lantern",…', 'cargo 1.99.0', 'lantern and kettle'],
    says: ['…Wrote …/.tsreg/bin/cargo…'],
  },
  {
    script: 'from-typescript',
    title: 'How do I call tsreg from TypeScript?',
    workspace: 'house',
    isOnline: true,
    needs: [],
    prints: ['house 0.1.0', 'kettle 1.0.0', 'lantern 0.2.0'],
    says: ['Cargo.lock is not up to date', '     Locking 2 packages to highest …compatible versions'],
  },
];

/** The output device of a run. `env` is added to the environment of all runs. */
interface View {
  readonly name: string;
  readonly isTerminal: boolean;
  readonly env: Readonly<Record<string, string>>;
}

const TERMINAL = { TERM: 'xterm-256color' };
const VIEWS: readonly View[] = [
  { name: 'without a terminal', isTerminal: false, env: {} },
  { name: 'on a terminal of 80 columns', isTerminal: true, env: TERMINAL },
  { name: 'on a terminal, with NO_COLOR', isTerminal: true, env: { ...TERMINAL, NO_COLOR: '1' } },
];

/** An address where no server listens. */
const NOWHERE = 'http://127.0.0.1:1/';

const temp = makeTempDir('jobs');
const installed = path.join(temp.path, 'installed', 'node_modules');
let packed: Program;
let made = 0;

function install(): void {
  const folder = path.dirname(installed);
  const home = path.join(temp.path, 'npm-home');
  for (const each of [folder, home]) mkdirSync(each);
  // Without a reachable npm registry, the package must contain everything that it needs.
  const env = { PATH: process.env['PATH'], HOME: home, npm_config_registry: NOWHERE };
  const npm = (...args: readonly string[]): string =>
    execFileSync('npm', args, { cwd: folder, env, encoding: 'utf8' });
  const answer: [{ filename: string }] = JSON.parse(
    npm('pack', projectRoot, '--json', '--ignore-scripts', '--pack-destination', temp.path),
  );
  writeFileSync(path.join(folder, 'package.json'), '{ "private": true }');
  npm('install', '--offline', '--no-audit', '--no-fund', path.join(temp.path, answer[0].filename));
  // The optional package for a Node without SQLite, and the packages that the TypeScript job installs.
  for (const name of ['libsql', 'typescript', '@types/node', '.bin/tsc']) {
    const place = path.join(installed, name);
    mkdirSync(path.dirname(place), { recursive: true });
    if (!existsSync(place) && existsSync(path.join(projectRoot, 'node_modules', name)))
      symlinkSync(path.join(projectRoot, 'node_modules', name), place);
  }
  const program = path.join(installed, 'tsreg', 'bin', 'tsreg.js');
  packed = { name: 'tsreg', command: [process.execPath, program], env: {} };
}

afterAll(() => temp.remove());

/** Creates the workspace of a job as a git checkout in a new folder. */
function prepare(workspace: Job['workspace'], folder: string): void {
  mkdirSync(folder, { recursive: true });
  if (workspace === null) return;
  cpSync(path.join(projectRoot, 'fixtures', 'demo-round', workspace), folder, { recursive: true });
  // Dependencies on the demo registry come from crates.io here.
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (path.basename(name) !== 'Cargo.toml') continue;
    const file = path.join(folder, name);
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll(', registry = "demo"', ''));
  }
  runGit(folder, ['init', '--quiet']);
  runGit(folder, ['add', '.']);
  runGit(folder, ['commit', '--quiet', '--message', 'All of it']);
}

async function freePort(): Promise<number> {
  const server = createServer();
  const port = await listen(server);
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Returns the script of a job with a free port in place of the default one. */
async function scriptOf({ script }: Job): Promise<string> {
  const address = `127.0.0.1:${await freePort()}`;
  return readFileSync(path.join(projectRoot, 'test', 'e2e', 'jobs', `${script}.sh`), 'utf8')
    .replaceAll('127.0.0.1:7878', address)
    .replaceAll('tsreg serve --data registry &', `tsreg serve --data registry --listen ${address} &`);
}

interface Outcome {
  readonly status: number | null;
  /** Includes stderr on a terminal. */
  readonly stdout: string;
  readonly stderr: string;
}

async function runJob(job: Job, view: View): Promise<Outcome> {
  made += 1;
  const base = path.join(temp.path, `${made}-${job.script}`);
  const [home, work] = [path.join(base, 'home'), path.join(base, 'work')];
  mkdirSync(home, { recursive: true });
  prepare(job.workspace, work);
  await using registry = job.isOnline ? await startPublicRegistry(base, packed) : null;
  const token = (await registry?.token('ci')) ?? 'none';
  if (job.workspace === 'house') {
    await registry?.publish({ name: 'kettle', version: '1.0.0' }, token);
    await registry?.publish({ name: 'lantern', version: '0.2.0', deps: ['kettle 1'] }, token);
  }
  if (job.script === 'from-typescript') symlinkSync(installed, path.join(work, 'node_modules'));
  const script = path.join(base, 'job.sh');
  writeFileSync(script, await scriptOf(job));
  const system = (process.env['PATH'] ?? '')
    .split(path.delimiter)
    .filter((each) => !['cargo', 'rustc'].some((name) => existsSync(path.join(each, name))));
  const child = view.isTerminal
    ? spawn('script', ['-qfec', `stty cols 80 rows 24; bash '${script}'`, '/dev/null'], optionsOf())
    : spawn('bash', [script], optionsOf());
  function optionsOf(): { cwd: string; env: Record<string, string>; stdio: ['ignore', 'pipe', 'pipe'] } {
    const env = {
      PATH: [path.join(installed, '.bin'), path.dirname(process.execPath), ...system].join(path.delimiter),
      HOME: home,
      CARGO_HOME: path.join(home, '.cargo'),
      CARGO_REGISTRY_TOKEN: token,
      NO_PROXY: '127.0.0.1',
      LANG: 'C.UTF-8',
      ...(registry?.env ?? { CARGO_HTTP_PROXY: NOWHERE }),
      ...view.env,
    };
    return { cwd: work, env, stdio: ['ignore', 'pipe', 'pipe'] };
  }
  const outcome = { status: null as number | null, stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (outcome.stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (outcome.stderr += text));
  outcome.status = await new Promise((resolve) => child.on('close', resolve));
  expect(registry?.strangers() ?? []).toEqual([]);
  return outcome;
}

/** Returns the first of `wanted` that does not follow those before it, or null. */
function missingLine(wanted: readonly string[], lines: readonly string[]): string | null {
  let at = 0;
  for (const each of wanted) {
    const parts = each.split('…').map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
    const found = lines.slice(at).findIndex((line) => new RegExp(`^${parts.join('.*')}$`).test(line));
    if (found < 0) return each;
    at += found + 1;
  }
  return null;
}

/** Returns the code lines of the README section that starts with `title`. */
function codeOf(title: string): readonly string[] {
  const [readme] = readPages();
  if (readme === undefined) throw new Error('there is no README');
  const from = readme.text.slice(0, readme.text.indexOf(`\n**${title}`)).split('\n').length;
  const next = /\n\*\*|\n## /.exec(readme.text.slice(readme.text.indexOf(`\n**${title}`) + 1));
  const lines = readme.text
    .slice(readme.text.indexOf(`\n**${title}`) + 1)
    .slice(0, next?.index)
    .split('\n');
  return readme.blocks
    .filter(({ line }) => line > from && line <= from + lines.length)
    .flatMap((block) => block.lines)
    .filter((line) => line !== '');
}

const COLOUR = /\x1b\[[0-9;]*m/;
const BAR = /\] \d+\/\d+|\[=*> *\]/;

describe.skipIf(onWindows)('the five jobs of the README (not on Windows, which has no sh)', () => {
  beforeAll(install, 120_000);

  it.each(JOBS)('have the lines of the README in $script', ({ script, title }) => {
    const text = readFileSync(path.join(projectRoot, 'test', 'e2e', 'jobs', `${script}.sh`), 'utf8');
    const code = codeOf(title);
    expect(code.length).toBeGreaterThan(0);
    expect(missingLine(code, text.split('\n'))).toBeNull();
  });

  it('include every script of test/e2e/jobs', () => {
    const scripts = readdirSync(path.join(projectRoot, 'test', 'e2e', 'jobs')).sort();
    expect(scripts).toEqual(JOBS.map(({ script }) => `${script}.sh`).sort());
  });

  for (const view of VIEWS) {
    const noTerminal = view.isTerminal ? missingForTyping('stty') : null;
    const reason = noTerminal === null ? '' : ` (${noTerminal})`;
    describe.skipIf(noTerminal !== null)(`${view.name}${reason}`, () => {
      for (const job of JOBS) {
        const missing = job.needs.find((name) => spawnSync(name, ['--version']).status !== 0);
        const why = missing === undefined ? '' : ` (no ${missing})`;
        it.skipIf(missing !== undefined)(`succeed: ${job.script}${why}`, async () => {
          const { status, stdout, stderr } = await runJob(job, view);
          const all = `${stdout}\n--- stderr ---\n${stderr}`;
          expect(status, all).toBe(0);
          const lines = view.isTerminal ? screenOf(stdout) : stdout.split('\n');
          expect(missingLine(job.prints, lines), all).toBeNull();
          expect(missingLine(job.says, view.isTerminal ? lines : stderr.split('\n')), all).toBeNull();
          expect(lines.filter((line) => BAR.test(line))).toEqual([]);
          expect(COLOUR.test(all)).toBe(view.isTerminal && view.env['NO_COLOR'] === undefined);
        });
      }
    });
  }
});
