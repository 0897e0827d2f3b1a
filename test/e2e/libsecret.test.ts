import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type RunResult, runProgram, tsregProgram } from '../helpers/program.ts';
import { type ServedRegistry, serveRegistry } from '../helpers/served-registry.ts';
import { makeTempDir } from '../helpers/temp-dir.ts';

const PROGRAMS = ['dbus-daemon', 'dbus-send', 'gnome-keyring-daemon', 'secret-tool'];
const missing = PROGRAMS.filter((name) => spawnSync('sh', ['-c', `command -v ${name}`]).status !== 0);
const reason = missing.length === 0 ? '' : ` (skipped: no ${missing.join(', no ')} on this machine)`;

const SCHEMA = 'org.rust-lang.cargo.registry';

describe.skipIf(missing.length > 0)(`the GNOME keyring${reason}`, () => {
  const temp = makeTempDir('keyring');
  const started: ChildProcess[] = [];
  const env: Record<string, string> = {
    PATH: process.env['PATH'] ?? '',
    HOME: temp.path,
    XDG_RUNTIME_DIR: temp.path,
    XDG_DATA_HOME: path.join(temp.path, 'data'),
    CARGO_HOME: path.join(temp.path, 'cargo'),
  };
  let registry: ServedRegistry | null = null;
  let [index, token] = ['', ''];

  const tsreg = (args: readonly string[], input = ''): Promise<RunResult> =>
    runProgram(tsregProgram(), args, { cwd: temp.path, env, input });
  const secretTool = (args: readonly string[], input = ''): string =>
    execFileSync('secret-tool', args, { env, input, encoding: 'utf8', stdio: ['pipe', 'pipe', 'pipe'] });

  /** Returns whether the service runs. An earlier request to the service would start a second, locked one. */
  const hasOwner = (): boolean => {
    const question = ['org.freedesktop.DBus.NameHasOwner', 'string:org.freedesktop.secrets'];
    const args = ['--session', '--print-reply', '--dest=org.freedesktop.DBus', '/', ...question];
    return spawnSync('dbus-send', args, { env, encoding: 'utf8' }).stdout.includes('boolean true');
  };

  beforeAll(async () => {
    mkdirSync(path.join(temp.path, 'cargo'));
    const bus = spawn('dbus-daemon', ['--session', '--nofork', '--print-address=1'], {
      env,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    started.push(bus);
    for await (const line of createInterface({ input: bus.stdout })) {
      env['DBUS_SESSION_BUS_ADDRESS'] = line;
      break;
    }
    const keyring = spawn('gnome-keyring-daemon', ['--unlock', '--components=secrets', '--foreground'], {
      env,
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    started.push(keyring);
    keyring.stdin.end('a password');
    await vi.waitFor(() => expect(hasOwner()).toBe(true), { timeout: 10_000, interval: 100 });
    registry = await serveRegistry(path.join(temp.path, 'registry'), ['--auth-required']);
    index = registry.index;
    token = await registry.token('alice');
    writeFileSync(
      path.join(temp.path, 'cargo', 'config.toml'),
      `[registries.mock]\nindex = "${index}"\ncredential-provider = "cargo:libsecret"\n`,
    );
  }, 30_000);

  afterAll(async () => {
    await registry?.[Symbol.asyncDispose]();
    for (const child of started.toReversed()) child.kill();
    temp.remove();
  });

  it('stores the token of `login` under the names that cargo uses', async () => {
    const { status, stderr } = await tsreg(['login', '--registry', 'mock', '--check'], `${token}\n`);
    expect(stderr).toContain('belongs to `alice`');
    expect(status).toBe(0);
    expect(secretTool(['lookup', 'url', index, 'xdg:schema', SCHEMA])).toBe(token);
    const { stdout } = spawnSync('secret-tool', ['search', 'url', index], { env, encoding: 'utf8' });
    expect(stdout).toContain('label = cargo-registry:mock\n');
    expect(stdout).toContain(`schema = ${SCHEMA}\n`);
  });

  it('returns a token that another program stored until `logout` removes it', async () => {
    secretTool(['store', '--label=cargo-registry:mock', 'url', index, 'xdg:schema', SCHEMA], token);
    expect(await tsreg(['whoami', '--registry', 'mock', '-q'])).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/^alice\n/),
    });
    expect(await tsreg(['logout', '--registry', 'mock'])).toMatchObject({ status: 0 });
    const gone = await tsreg(['whoami', '--registry', 'mock']);
    expect(gone.status).toBe(101);
    expect(gone.stderr).toContain('no token found for `mock`');
  });
});
