import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CodeBlock, commandsOf, type Page, readPages } from '../helpers/code-blocks.ts';
import { projectRoot } from '../helpers/project-root.ts';
import { runProgram, tsregProgram } from '../helpers/program.ts';
import { type ServedRegistry, serveRegistry } from '../helpers/served-registry.ts';
import { makeTempDir } from '../helpers/temp-dir.ts';
import { RECORDS_ARE_ELSEWHERE } from '../helpers/test-location.ts';
import { FOLDER_IS_ELSEWHERE } from '../helpers/test-storage.ts';

/**
 * Commands that the tests of the examples skip, with the reason. test/docs/documentation.test.ts still parses them.
 *
 * The tests run the examples of README.md and docs/ as written, each page in its own shell:
 *
 * - Every line of a block marked `sh` runs.
 * - The text after `$ ` in a block marked `console` runs. Its output must contain the shown lines in their order,
 *   where `…` matches any text.
 * - A block marked `toml` whose first line names a file is written to that file.
 * - A block marked `ts` runs if it is in the README, or in docs/library.md and calls one of `RUN_FUNCTIONS`.
 *
 * The shell starts in a workspace called `house` and has a token for the registry `mine`, which contains `kettle` and
 * `lantern`. A registry that a page starts on the default port gets a free port instead.
 */
const NOT_RUN: readonly { readonly page: string; readonly command: RegExp; readonly why: string }[] = [
  {
    page: 'README.md',
    command: /^npm (start|test|pack|install|run bench)/,
    why: 'this is npm test; tests in test/e2e run npm start and install the packed package; the benchmark takes minutes',
  },
  {
    page: 'CONTRIBUTING.md',
    command: /^npm (test|start -- --help|run verify)$/,
    why: 'this is npm test, and the checks take minutes',
  },
  { page: 'docs/serve-object-store.md', command: /tsreg serve --storage s3:/, why: 'needs an object store' },
];

/** The functions whose examples run. Other examples in docs/library.md are only compiled, in test/library. */
const RUN_FUNCTIONS = /\b(?:dependenciesOf|packageById|parseManifest|satisfies)\(/;

const pages = readPages();
const temp = makeTempDir('docs');
/** The home and the workspace that every page starts from. */
const prepared = path.join(temp.path, 'prepared');
const data = path.join(temp.path, 'registry-data');
const PROGRAM = tsregProgram();
const DEFAULT_PORT = '127.0.0.1:7878';
let registry: ServedRegistry;

/** Commands that run before certain pages. */
const PREPARED: Readonly<Record<string, string>> = {
  // An older version of a crate, with another feature list and another line, and the published `mug`.
  'docs/diff.md': [
    `cp -r '${path.join(temp.path, 'kitchen')}' ../older && cd ../older`,
    "sed -i.old 's/1.0.0/0.9.0/; /^whistle/d' kettle/Cargo.toml && sed -i.old s/100/95/ kettle/src/lib.rs",
    'rm kettle/*.old kettle/src/*.old',
    'tsreg publish -p kettle --no-verify --registry mine -q && cd ../house',
    'tsreg publish -p mug --no-verify --registry mine -q',
  ].join(' && '),
  'docs/login.md': 'rm -r "$CARGO_HOME/registry"',
  // There, `mine` is a new registry without the dependencies of the workspace.
  'docs/serve.md': "sed -i.old '/^lantern/d' Cargo.toml && rm Cargo.lock",
};

/** Commands that undo the changes of certain pages to the registry. */
const FORGET_MUG = `tsreg serve delete mug --yes --allow-reuse -q --data '${data}'`;
const RESTORED: Readonly<Record<string, string>> = {
  'README.md': FORGET_MUG,
  'docs/ci/README.md': FORGET_MUG,
  'docs/diff.md': `${FORGET_MUG}; tsreg serve delete kettle@0.9.0 --yes --allow-reuse -q --data '${data}'`,
  'docs/getting-started.md': FORGET_MUG,
  'docs/owner.md': 'tsreg owner kettle --remove bob --registry mine',
  'docs/publish.md': FORGET_MUG,
  'docs/recipes.md': `${FORGET_MUG}; tsreg yank kettle@1.0.0 --undo --registry mine`,
  'docs/yank.md': 'tsreg yank kettle@1.0.0 --undo --registry mine',
};

function write(file: string, text: string, mode = 0o644): void {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
  chmodSync(file, mode);
}

beforeAll(async () => {
  registry = await serveRegistry(data);
  const alice = await registry.token(
    'alice',
    ...['--name', 'laptop', '--scope', 'publish-new,publish-update,yank,owners'],
  );
  await registry.token('bob');
  const kitchen = path.join(temp.path, 'kitchen');
  copyDemo('kitchen', kitchen);
  prepareHouse(path.join(prepared, 'house'), alice);
  const env = environment(prepared);
  const run = async (cwd: string, ...args: readonly string[]): Promise<void> => {
    const { stderr, status } = await runProgram(PROGRAM, [...args, '-q'], { cwd, env, input: alice });
    expect([stderr, status]).toEqual(['', 0]);
  };
  await run(kitchen, 'login', '--registry', 'mine');
  await run(kitchen, 'publish', '--workspace', '--no-verify', '--registry', 'mine');
  await run(path.join(prepared, 'house'), 'fetch');
});
afterAll(async () => {
  await registry[Symbol.asyncDispose]();
  temp.remove();
});

/** Creates a workspace with a private package and one that may be published. */
function prepareHouse(house: string, token: string): void {
  copyDemo('house', house);
  const manifest = readFileSync(path.join(house, 'Cargo.toml'), 'utf8');
  const isPrivate = manifest.replace('[package]\n', '[package]\npublish = false\n');
  write(path.join(house, 'Cargo.toml'), `${isPrivate}\n[workspace]\nmembers = ["mug"]\n`);
  const facts = ['description = "Holds tea"', 'license = "MIT"', 'homepage = "https://demo.example/mug"'];
  write(
    path.join(house, 'mug', 'Cargo.toml'),
    `[package]\nname = "mug"\nversion = "0.1.0"\nedition = "2024"\n${facts.join('\n')}\n`,
  );
  write(path.join(house, 'mug', 'src', 'lib.rs'), '');
  write(path.join(house, 'token-file'), token);
  for (const folder of ['node_modules', '.cargo']) mkdirSync(path.join(house, folder));
}

/** Copies a workspace of `npm start` and names its registry `mine`, as the pages do. */
function copyDemo(name: string, to: string): void {
  cpSync(path.join(projectRoot, 'fixtures', 'demo-round', name), to, { recursive: true });
  for (const entry of readdirSync(to, { recursive: true, encoding: 'utf8' })) {
    if (path.basename(entry) !== 'Cargo.toml') continue;
    const file = path.join(to, entry);
    write(file, readFileSync(file, 'utf8').replaceAll('registry = "demo"', 'registry = "mine"'));
  }
}

function environment(home: string): Record<string, string> {
  const bin = path.join(home, 'bin');
  const [node, ...first] = PROGRAM.command;
  const call = [node, ...first].map((word) => `'${word}'`).join(' ');
  write(path.join(bin, 'tsreg'), `#!/bin/sh\nexec ${call} "$@"\n`, 0o755);
  const cargoHome = path.join(home, '.cargo');
  write(path.join(cargoHome, 'config.toml'), `[registries.mine]\nindex = "${registry.index}"\n`);
  const system = (process.env['PATH'] ?? '').split(path.delimiter).filter((folder) => !/cargo/.test(folder));
  return {
    PATH: [bin, path.dirname(process.execPath), ...system].join(path.delimiter),
    HOME: home,
    CARGO_HOME: cargoHome,
    CARGO_REGISTRY_DEFAULT: 'mine',
    NO_PROXY: '127.0.0.1',
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
}

const hasJq = spawnSync('jq', ['--version']).status === 0;

function isRun(page: Page, command: string): boolean {
  if (command.trim() === '' || (!hasJq && command.includes('| jq '))) return false;
  return !NOT_RUN.some((each) => each.page === page.name && each.command.test(command));
}

/** A command of a page and the output that the page shows, which is null if it shows none. */
interface Step {
  readonly line: number;
  readonly command: string;
  readonly shown: readonly string[] | null;
}

function stepsOf(page: Page): readonly Step[] {
  return page.blocks.flatMap((block) => stepsOfBlock(page, block));
}

function stepsOfBlock(page: Page, block: CodeBlock): readonly Step[] {
  const { language, lines, line } = block;
  const [first = ''] = lines;
  if (language === 'sh') {
    const commands = lines
      .join('\n')
      .replaceAll(/\\\n\s*/g, '')
      .split('\n');
    return commands
      .filter((command) => isRun(page, command))
      .map((command) => ({ line, command, shown: null }));
  }
  if (language === 'console') {
    return commandsOf(block)
      .filter(({ command }) => isRun(page, command))
      .map(({ command, shown }) => ({ line, command, shown }));
  }
  const file = /^# (\.cargo\/config\.toml)$/.exec(first)?.[1];
  if (language === 'toml' && file !== undefined && page.blocks.some((each) => each.language === 'sh')) {
    const body = lines.join('\n');
    return [
      { line, command: `mkdir -p ${path.dirname(file)} && cat > ${file} <<'END'\n${body}\nEND`, shown: null },
    ];
  }
  if (language === 'ts' && isRunProgram(page, lines)) {
    return [{ line, command: `cat > use.mjs <<'END'\n${lines.join('\n')}\nEND\nnode use.mjs`, shown: null }];
  }
  return [];
}

function isRunProgram({ name }: Page, lines: readonly string[]): boolean {
  return name === 'README.md' || (name === 'docs/library.md' && RUN_FUNCTIONS.test(lines.join('\n')));
}

const MARK = '=== step';

/** Returns the steps as one script, which marks the output and the exit status of each step. */
function scriptOf(steps: readonly Step[], port: number): string {
  const parts = steps.map(({ command }, at) => {
    const isBehind = /&\s*(?:#.*)?$/.test(command);
    const wait = isBehind
      ? `for i in $(seq 200); do (exec 3<>/dev/tcp/127.0.0.1/${port}) 2>/dev/null && break; sleep 0.05; done\n`
      : '';
    return `echo '${MARK} ${at}'\n${command.replaceAll(DEFAULT_PORT, `127.0.0.1:${port}`)}\necho "${MARK} ended $?"\n${wait}`;
  });
  // `serve` without an address listens on the default one, which may be in use.
  const serve = `tsreg() { if [ "$1" = serve ] && [ "\${2#--}" != "$2" ]; then shift; command tsreg serve --listen 127.0.0.1:${port} "$@"; else command tsreg "$@"; fi; }`;
  return `exec 2>&1\nset -o pipefail\n${serve}\n${parts.join('\n')}\n`;
}

interface Outcome {
  readonly text: string;
  readonly status: number;
}

function outcomesOf(output: string): readonly Outcome[] {
  return output
    .split(new RegExp(`^${MARK} \\d+\\n`, 'm'))
    .slice(1)
    .map((part) => {
      const end = new RegExp(`${MARK} ended (\\d+)\\n`).exec(part);
      return { text: part.slice(0, end?.index), status: Number(end?.[1] ?? -1) };
    });
}

/** Returns the first shown line that was not printed after the lines before it, or null. */
function missingLine(shown: readonly string[], printed: string): string | null {
  let rest = printed;
  for (const line of shown.filter((each) => each.trim() !== '' && each.trim() !== '…')) {
    const parts = line
      .trimEnd()
      .split('…')
      .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
    const found = new RegExp(`^${parts.join('.*')}${line.endsWith('…') ? '.*' : ''}$`, 'm').exec(rest);
    if (found === null) return line;
    rest = rest.slice(found.index + found[0].length);
  }
  return null;
}

async function runPage(page: Page): Promise<void> {
  const steps = stepsOf(page);
  const home = path.join(temp.path, page.name.replaceAll(/\W/g, '-'));
  cpSync(prepared, home, { recursive: true });
  const house = path.join(home, 'house');
  symlinkSync(projectRoot, path.join(house, 'node_modules', 'tsreg'));
  const env = environment(home);
  const before = PREPARED[page.name] ?? 'true';
  const after = RESTORED[page.name] ?? 'true';
  const port = await freePort();
  const child = spawn('bash', ['-c', `${before} || exit\n(${scriptOf(steps, port)}\n)\n${after}`], {
    cwd: house,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const output = await outputOf(child);
  const outcomes = outcomesOf(output);
  expect(outcomes.length, output).toBe(steps.length);
  for (const [at, step] of steps.entries()) {
    const { text, status } = outcomes[at] ?? { text: '', status: -1 };
    const said = text
      .replaceAll(home, '…')
      .replaceAll(new URL(registry.url).host, DEFAULT_PORT)
      .replaceAll(`127.0.0.1:${port}`, DEFAULT_PORT);
    const where = `${page.name}:${step.line}: ${step.command}\n${said}`;
    const fails = step.shown?.some((line) => line.startsWith('error')) === true;
    expect(status, where).toBe(fails ? 101 : 0);
    if (step.shown !== null) expect(missingLine(step.shown, said), where).toBe(null);
  }
}

/** Returns the output of a shell until it exits, then kills the processes that it left running. */
async function outputOf(child: ChildProcess): Promise<string> {
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  await once(child, 'exit');
  try {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  } catch {
    // No process was left.
  }
  if (child.stdout?.readableEnded !== true) await once(child, 'close');
  return output;
}

const hasShell = process.platform !== 'win32';

// The examples store their registries in folders.
const isInFolder = RECORDS_ARE_ELSEWHERE === null && FOLDER_IS_ELSEWHERE === null;

describe.skipIf(!hasShell || !isInFolder)(
  'the examples (not on Windows, which has no sh, and not with the registry in an object store)',
  () => {
    it.each(pages.filter((page) => stepsOf(page).length > 0))('of $name run as documented', runPage);

    it('contain every command of the skip list', () => {
      for (const { page, command } of NOT_RUN) {
        const { blocks } = pages.find(({ name }) => name === page) ?? { blocks: [] };
        const lines = blocks.flatMap((block) => block.lines).map((line) => line.replace(/^\$ /, ''));
        expect(lines.filter((line) => command.test(line)).length, String(command)).toBeGreaterThan(0);
      }
    });

    it('fail the check if a shown line is missing', () => {
      expect(missingLine(['a …', 'c'], 'x\na b\nc\n')).toBe(null);
      expect(missingLine(['c', 'a …'], 'x\na b\nc\n')).toBe('a …');
      expect(missingLine(['a'], 'ab\n')).toBe('a');
    });
  },
);
