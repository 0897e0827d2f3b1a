import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { rustsecFile, writeFiles } from '../helpers/advisory-files.ts';
import { runProgram, type RunResult, tsregProgram } from '../helpers/program.ts';
import { publishBody } from '../helpers/publish-body.ts';
import { serveEnv, type ServedRegistry, serveRegistry } from '../helpers/served-registry.ts';
import { TEST_DATABASE } from '../helpers/test-location.ts';
import { makeTempDir } from '../helpers/temp-dir.ts';

// Tests with a mirror of another server and a client that uses the mirror in place of crates.io.

const temp = makeTempDir('upstream');
let above: ServedRegistry;
let mirror: ServedRegistry;
const mirrorData = path.join(temp.path, 'mirror');

beforeAll(async () => {
  above = await serveRegistry(path.join(temp.path, 'above'));
  const alice = await above.token('alice');
  const crates = [
    publishBody({ name: 'leaf-lib', version: '1.0.0' }),
    publishBody({ name: 'middle-lib', version: '1.2.0', deps: ['leaf-lib 1'] }),
  ];
  for (const { bytes } of crates) expect((await publish(above, alice, bytes))[0]).toBe(200);
  mirror = await serveRegistry(mirrorData, ['--upstream', above.index, '--upstream-refresh', '0']);
});
afterAll(async () => {
  await Promise.all([above, mirror].map((server) => server.stop('SIGKILL')));
  temp.remove();
});

async function publish(to: ServedRegistry, token: string, body: Buffer): Promise<[number, string]> {
  const answer = await fetch(`${to.url}/api/v1/crates/new`, {
    ...{ method: 'PUT', headers: { authorization: token }, body: new Uint8Array(body) },
  });
  return [answer.status, await answer.text()];
}

async function run(args: readonly string[], cwd = temp.path, home = 'home'): Promise<RunResult> {
  const CARGO_HOME = path.join(temp.path, home);
  return runProgram(tsregProgram(), args, {
    cwd,
    env: { PATH: process.env['PATH'] ?? '', HOME: temp.path, CARGO_HOME, ...(await serveEnv(args)) },
  });
}

/** Creates a project whose configuration replaces crates.io with the mirror. */
function project(name: string, from = mirror): string {
  const folder = path.join(temp.path, name);
  const write = (file: string, text: string): void => {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    writeFileSync(path.join(folder, file), text);
  };
  write('Cargo.toml', '[package]\nname = "app"\nversion = "0.1.0"\n[dependencies]\nmiddle-lib = "1"\n');
  write('src/lib.rs', '');
  write(
    '.cargo/config.toml',
    `[source.crates-io]\nreplace-with = "mirror"\n[source.mirror]\nregistry = "${from.index}"\n`,
  );
  return folder;
}

it('mirrors a registry even while the upstream is down, and reports the outage', {
  timeout: 60_000,
}, async () => {
  const folder = project('app');
  expect(await run(['fetch'], folder)).toMatchObject({ status: 0 });
  const lock = readFileSync(path.join(folder, 'Cargo.lock'), 'utf8');
  // The lock file is the same as without the mirror.
  expect(lock.match(/source = .*/g)).toEqual([
    'source = "registry+https://github.com/rust-lang/crates.io-index"',
    'source = "registry+https://github.com/rust-lang/crates.io-index"',
  ]);
  expect(lock).toContain(publishBody({ name: 'leaf-lib', version: '1.0.0' }).crate.checksum);

  await above.stop();
  const again = await run(['fetch', '--locked'], folder, 'another-home');
  expect([again.status, again.stderr]).toEqual([0, expect.stringContaining('Downloaded')]);
  writeFileSync(
    path.join(folder, 'Cargo.toml'),
    '[package]\nname = "app"\nversion = "0.1.0"\n[dependencies]\nother-lib = "1"\n',
  );
  const failed = await run(['fetch', '--config', 'net.retry=0'], folder, 'another-home');
  expect([failed.status, failed.stderr]).toEqual([
    101,
    expect.stringContaining(
      `cannot get \`ot/he/other-lib\` of its index from the upstream \`${above.url}/index/\``,
    ),
  ]);
  expect(await (await fetch(`${mirror.url}/healthz`)).json()).toEqual({
    ...(TEST_DATABASE === null ? { sqlite: expect.stringMatching(/^(?:node:sqlite|libsql) 3\./) } : {}),
    ...{ status: 'ok', upstream: 'away' },
  });
  expect(mirror.log()).toContain('"event":"upstream-away"');
});

it('serves only the versions that the gates let pass', { timeout: 60_000 }, async () => {
  const source = await serveRegistry(path.join(temp.path, 'source'));
  const carol = await source.token('carol');
  const crates = [
    publishBody({ name: 'leaf-lib', version: '1.0.0' }),
    publishBody({ name: 'middle-lib', version: '1.2.0', deps: ['leaf-lib 1'] }),
    publishBody({ name: 'middle-lib', version: '1.3.0', deps: ['leaf-lib 1'] }),
  ];
  for (const { bytes } of crates) expect((await publish(source, carol, bytes))[0]).toBe(200);
  const gates = [
    '--min-publish-age',
    '1h',
    '--allow',
    'leaf_lib',
    '--allow',
    'middle-lib@1.2.0',
    '--block',
    'middle-lib',
    '--block',
    'other_lib',
  ];
  const gated = await serveRegistry(path.join(temp.path, 'gated'), ['--upstream', source.index, ...gates]);
  try {
    const folder = project('gated-app', gated);
    expect(await run(['fetch'], folder, 'gated-home')).toMatchObject({ status: 0 });
    // The newer version is blocked.
    expect(readFileSync(path.join(folder, 'Cargo.lock'), 'utf8')).toContain(
      'name = "middle-lib"\nversion = "1.2.0"',
    );
    const refused = await fetch(`${gated.url}/api/v1/crates/middle-lib/1.3.0/download`);
    expect([refused.status, await refused.json()]).toEqual([
      403,
      {
        errors: [
          {
            detail:
              'this registry blocks version `1.3.0` of crate `middle-lib`; an admin of this registry can serve it with `--allow middle-lib@1.3.0`, or on the page `/admin/mirror`',
          },
        ],
      },
    ]);
    writeFileSync(
      path.join(folder, 'Cargo.toml'),
      '[package]\nname = "app"\nversion = "0.1.0"\n[dependencies]\nother-lib = "1"\n',
    );
    const { status, stderr } = await run(['metadata', '--format-version', '1'], folder, 'gated-home');
    expect([status, stderr]).toEqual([
      101,
      expect.stringContaining('as a dependency of package `app v0.1.0'),
    ]);
    expect(stderr).toMatch(
      /got 403\n {2}body:\n {2}this registry blocks crate `other-lib`; an admin of this registry can serve it with `--allow other-lib`, or on the page `\/admin\/mirror`\n$/,
    );
  } finally {
    await Promise.all([source, gated].map((server) => server.stop('SIGKILL')));
  }
});

it('refuses downloads because of licenses and advisories, and says why', { timeout: 60_000 }, async () => {
  const source = await serveRegistry(path.join(temp.path, 'licensed'));
  const dana = await source.token('dana');
  const crates = [
    ['1.0.0', 'MIT/Apache-2.0'],
    ['1.1.0', 'AGPL-3.0-only'],
  ].map(([version = '', license]) =>
    publishBody({ name: 'free-lib', version, extra: `license = "${license}"` }, { license }),
  );
  for (const { bytes } of crates) expect((await publish(source, dana, bytes))[0]).toBe(200);
  const folder = path.join(temp.path, 'advisories');
  writeFiles(folder, {
    'crates/free-lib/RUSTSEC-2026-0001.md': rustsecFile({
      ...{ id: 'RUSTSEC-2026-0001', crate: 'free-lib', title: 'Out of bounds' },
      unaffected: ['>=1.1.0'],
    }),
  });
  const gates = ['--allow-license', 'MIT', '--advisories', folder, '--block-advisories'];
  const gated = await serveRegistry(path.join(temp.path, 'strict'), ['--upstream', source.index, ...gates]);
  const allowed = ['--allow', 'free-lib@1.0.0'];
  const open = await serveRegistry(path.join(temp.path, 'open'), [
    ...['--upstream', source.index, ...gates, ...allowed],
  ]);
  const download = async (from: typeof gated, version: string): Promise<readonly [number, string]> => {
    const response = await fetch(`${from.url}/api/v1/crates/free-lib/${version}/download`);
    return [response.status, response.status === 200 ? '' : await response.text()];
  };
  try {
    expect(await download(gated, '1.0.0')).toEqual([
      403,
      expect.stringContaining('because of RUSTSEC-2026-0001'),
    ]);
    expect(await download(gated, '1.1.0')).toEqual([
      403,
      expect.stringContaining('its license is `AGPL-3.0-only`, and the rule `--allow-license` refuses it'),
    ]);
    expect(await download(open, '1.0.0')).toEqual([200, '']);
    expect(gated.log()).toContain('"event":"advisories-read"');
  } finally {
    await Promise.all([source, gated, open].map((server) => server.stop('SIGKILL')));
  }
});

it('reserves names and verifies the cached files of the upstream', { timeout: 60_000 }, async () => {
  const data = ['--data', mirrorData];
  const bob = await mirror.token('bob');
  const { bytes } = publishBody({ name: 'leaf_lib', version: '9.0.0' });
  expect(await publish(mirror, bob, bytes)).toEqual([
    502,
    expect.stringContaining('cannot check whether the upstream has a crate named `leaf_lib`'),
  ]);
  const ownName = (...args: readonly string[]): Promise<RunResult> =>
    run(['serve', 'own-name', ...args, ...data]);
  expect(await ownName('add', 'a b')).toMatchObject({ status: 101 });
  expect(await ownName('add', 'Leaf-*', '--reason', 'ours')).toMatchObject({ status: 0 });
  expect(await ownName('list')).toMatchObject({ status: 0, stdout: 'leaf_*\tours\n' });
  expect((await publish(mirror, bob, bytes))[0]).toBe(200);
  expect((await fetch(`${mirror.url}/index/le/af/leaf-lib`)).status).toBe(404);
  expect(await ownName('remove', 'leaf_*')).toMatchObject({ status: 0 });
  expect(await ownName('remove', 'leaf_*')).toMatchObject({ status: 101 });
  // The name stays reserved as long as a crate has it.
  expect((await fetch(`${mirror.url}/index/le/af/leaf-lib`)).status).toBe(404);

  const verified = await run(['serve', 'verify', ...data]);
  expect(verified).toMatchObject({ status: 0, stdout: '' });
  expect(verified.stderr).toMatch(
    /Verified 1 versions, .*\n\s+Verified 2 \.crate files of the upstream, \d+ bytes\n/,
  );
  // A backup contains only published versions. The mirror can download the others again.
  const copy = path.join(temp.path, 'copy');
  expect((await run(['serve', 'backup', copy, ...data])).stderr).toContain('Saved 1 versions');
});

it.each([
  [['--upstream', 'nonsense'], '`--upstream nonsense` is not the address of a sparse index'],
  [['--upstream', 'https://u:hunter2@h.invalid/'], 'set `TSREG_UPSTREAM_TOKEN` to a token'],
  [['--upstream-refresh', '5'], '--upstream'],
  [['--upstream', 'crates-io', '--upstream-refresh', 'x'], 'expected a whole number'],
  [['--block', 'foo'], '--upstream'],
  [['--allow', 'foo'], '--upstream'],
  [['--min-publish-age', '3d'], '--upstream'],
  [['--upstream', 'crates-io', '--min-publish-age', '3 days'], 'expected an age, as in `12h`, `3d` or `2w`'],
  [['--upstream', 'crates-io', '--block', 'a b'], 'expected `NAME` or `NAME@1.2.3`'],
  [['--deny-license', 'MIT'], '--upstream'],
  [['--upstream', 'crates-io', '--allow-license', 'GLP-3.0'], 'expected one license of the SPDX list'],
  [['--upstream', 'crates-io', '--block-advisories'], '`--block-advisories` needs `--advisories`'],
  [['--advisories', 'missing-folder'], 'cannot read the advisories in `missing-folder`'],
])('refuses %j', async (flags, words) => {
  const data = path.join(temp.path, 'none');
  const { status, stderr } = await run(['serve', '--listen', '127.0.0.1:0', '--data', data, ...flags]);
  expect([status, stderr]).toEqual([101, expect.stringContaining(words)]);
  expect(stderr).not.toContain('hunter2');
});
