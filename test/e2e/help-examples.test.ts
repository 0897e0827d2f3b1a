import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EXAMPLES } from '../../src/cli/examples.ts';
import { parseArguments } from '../../src/cli/parse-arguments.ts';
import { callsIn } from '../helpers/code-blocks.ts';
import { projectRoot } from '../helpers/project-root.ts';
import { runProgram, tsregProgram } from '../helpers/program.ts';
import { type ServedRegistry, serveRegistry } from '../helpers/served-registry.ts';
import { makeTempDir } from '../helpers/temp-dir.ts';
import { RECORDS_ARE_ELSEWHERE, TEST_DATABASE, testLocation } from '../helpers/test-location.ts';
import { FOLDER_IS_ELSEWHERE } from '../helpers/test-storage.ts';
import { wholeGrammar } from '../helpers/whole-grammar.ts';

const temp = makeTempDir('help-examples');
/** A home with the workspace that the examples run in. Every command gets a copy. */
const prepared = path.join(temp.path, 'prepared');
const PROGRAM = tsregProgram();
let registry: ServedRegistry;

const all = Object.entries(EXAMPLES).map(([name, examples]) => ({
  name,
  lines: examples.map(({ line }) => line),
}));

function write(file: string, text: string, mode = 0o644): void {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
  chmodSync(file, mode);
}

function environment(home: string): Record<string, string> {
  return {
    ...PROGRAM.env,
    PATH: [path.join(home, 'bin'), path.dirname(process.execPath), '/usr/bin', '/bin'].join(path.delimiter),
    HOME: home,
    CARGO_HOME: path.join(home, '.cargo'),
    NO_PROXY: '127.0.0.1',
  };
}

/** Copies a workspace of the demo, with dependencies from the registry `mine`. */
function copyDemo(name: string, to: string): void {
  cpSync(path.join(projectRoot, 'fixtures', 'demo-round', name), to, { recursive: true });
  for (const entry of readdirSync(to, { recursive: true, encoding: 'utf8' })) {
    if (path.basename(entry) !== 'Cargo.toml') continue;
    const file = path.join(to, entry);
    write(file, readFileSync(file, 'utf8').replaceAll('registry = "demo"', 'registry = "mine"'));
  }
}

const MUG =
  '[package]\nname = "mug"\nversion = "0.1.0"\nedition = "2024"\ndescription = "Holds tea"\n' +
  'license = "MIT"\nhomepage = "https://demo.example/mug"\n';

beforeAll(async () => {
  registry = await serveRegistry(path.join(temp.path, 'registry-data'));
  const alice = await registry.token('alice');
  await registry.token('bob');
  const house = path.join(prepared, 'house');
  copyDemo('house', house);
  const manifest = readFileSync(path.join(house, 'Cargo.toml'), 'utf8');
  write(
    path.join(house, 'Cargo.toml'),
    `${manifest.replace('[package]\n', '[package]\npublish = false\n')}\n[workspace]\nmembers = ["mug"]\n`,
  );
  write(path.join(house, 'mug', 'Cargo.toml'), MUG);
  write(path.join(house, 'mug', 'src', 'lib.rs'), '');
  write(path.join(house, 'token-file'), `${alice}\n`);
  write(path.join(house, 'password-file'), 'correct horse battery\n');
  for (const folder of ['.zfunc', '.local/share/bash-completion/completions', '.config/fish/completions'])
    mkdirSync(path.join(prepared, folder), { recursive: true });
  mkdirSync(path.join(house, '.cargo'));
  const call = PROGRAM.command.map((word) => `'${word}'`).join(' ');
  write(path.join(prepared, 'bin', 'tsreg'), `#!/bin/sh\nexec ${call} "$@"\n`, 0o755);
  write(
    path.join(prepared, '.cargo', 'config.toml'),
    `registry.default = "mine"\n[registries.mine]\nindex = "${registry.index}"\n`,
  );
  const kitchen = path.join(temp.path, 'kitchen');
  copyDemo('kitchen', kitchen);
  const env = environment(prepared);
  const run = async (cwd: string, ...args: readonly string[]): Promise<void> => {
    const { stderr, status } = await runProgram(PROGRAM, [...args, '-q'], { cwd, env, input: alice });
    expect([stderr, status]).toEqual(['', 0]);
  };
  await run(kitchen, 'login');
  const older = path.join(temp.path, 'older');
  copyDemo('kitchen', older);
  const kettle = path.join(older, 'kettle', 'Cargo.toml');
  write(kettle, readFileSync(kettle, 'utf8').replace('1.0.0', '0.9.0'));
  await run(older, 'publish', '--package', 'kettle', '--no-verify');
  await run(kitchen, 'publish', '--workspace', '--no-verify');
  await run(house, 'fetch');
  // Data that `serve` and its subcommands expect in the working folder.
  const copy = path.join(house, 'backup');
  await run(house, 'serve', 'backup', copy, '--data', registry.data);
  await run(house, 'serve', 'restore', copy);
  await run(house, 'serve', 'own-name', 'add', 'acme-*');
  const job = ['--issuer', 'https://ci.example.com', '--claim', 'project=kettle', '--user', 'alice'];
  await run(house, 'serve', 'publisher', 'add', ...job, '--crate', 'kettle');
});
afterAll(async () => {
  await registry[Symbol.asyncDispose]();
  temp.remove();
});

/** Runs a line in a shell. Stops a server as soon as it listens. */
async function runLine(
  line: string,
  { home, env }: { readonly home: string; readonly env: Readonly<Record<string, string>> },
): Promise<{ readonly status: number | null; readonly output: string }> {
  const isServer = /^tsreg serve(?: --|$)/.test(line);
  const command = isServer ? `exec ${line} --listen 127.0.0.1:0` : line;
  const child = spawn('sh', ['-c', command], {
    cwd: path.join(home, 'house'),
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output += text));
  const closed = once(child, 'close');
  for await (const text of createInterface({ input: child.stdout })) {
    output += `${text}\n`;
    if (isServer && text.startsWith('data ')) child.kill('SIGTERM');
  }
  await closed;
  return { status: child.exitCode, output };
}

const hasShell = process.platform !== 'win32';
// The examples store their registries in folders.
const isInFolder = RECORDS_ARE_ELSEWHERE === null && FOLDER_IS_ELSEWHERE === null;
const NEEDS_DATABASE = new Set(['serve migrate']);

describe.skipIf(!hasShell)('the examples of the help (needs sh)', () => {
  it.skipIf(!isInFolder).each(all.filter(({ name }) => !NEEDS_DATABASE.has(name)))(
    'of `$name` succeed in order (not with the registry in an object store)',
    async ({ name, lines }) => {
      const home = path.join(temp.path, `home of ${name}`);
      cpSync(prepared, home, { recursive: true });
      for (const line of lines) {
        const { status, output } = await runLine(line, { home, env: environment(home) });
        expect(status, `${line}\n${output}`).toBe(0);
      }
    },
  );

  it.skipIf(TEST_DATABASE === null)('of `serve migrate` succeed (needs a test database)', async () => {
    const { env } = await testLocation(path.join(temp.path, 'migrated'));
    for (const line of EXAMPLES['serve migrate']?.map((each) => each.line) ?? []) {
      const { status, output } = await runLine(line, {
        home: prepared,
        env: { ...environment(prepared), ...env },
      });
      expect(status, `${line}\n${output}`).toBe(0);
    }
  });
});

it('parses every example of the help', async () => {
  const grammar = await wholeGrammar();
  for (const { name, lines } of all) {
    for (const line of lines) {
      const calls = callsIn(line.replaceAll(/\\\n\s*/g, ''));
      expect(calls, line).toHaveLength(1);
      const parsed = parseArguments(calls[0] ?? [], grammar);
      // Examples of the program itself show several commands, and examples of `remove` may list the choices first.
      const command =
        parsed.kind === 'command' ? parsed.name : (parsed.kind === 'help' && parsed.command) || '';
      expect(name === '' || command.startsWith(name.replace(/ (?:remove)$/, '')), line).toBe(true);
    }
  }
});
