import { readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { frameBody } from '../helpers/publish-body.ts';
import { type ServedRegistry, serveRegistry } from '../helpers/served-registry.ts';
import type { Context } from './context.ts';
import { type KindReport, newReport } from './report.ts';
import { ServeClient } from './serve-client.ts';
import { useStaticHalf } from './serve-static.ts';
import { useUpstream } from './serve-upstream.ts';

/** Tests a registry that the subject serves, with real cargo as its client. */
export async function compareServe(context: Context): Promise<KindReport> {
  const report = newReport('serve');
  await usePublicRegistry(context, report);
  await usePrivateRegistry(context, report);
  await useUpstream(context, report);
  await useStaticHalf(context, report);
  return report;
}

async function usePublicRegistry(context: Context, report: KindReport): Promise<void> {
  await using registry = await serveRegistry(path.join(context.scratch, 'serve', 'public'));
  const token = await registry.token('alice');
  await registry.token('bob');
  const alice = new ServeClient(context, report, { name: 'alice', registry, token });
  await logIn(new ServeClient(context, report, { name: 'fresh', registry, token: null }), token);
  await publishAll(alice, registry);
  await changeThem(alice);
  await dependOnThem(alice, registry);
}

/** Checks that cargo uses the token of `login` afterwards. */
async function logIn(fresh: ServeClient, token: string): Promise<void> {
  fresh.library('logged-in', '0.1.0');
  const publish = ['publish', '--registry', 'mine', '--allow-dirty'];
  await fresh.cargo('logged-in', publish, { status: 101, stderr: /no token found for `mine`/ });
  await fresh.cargo('logged-in', ['login', '--registry', 'mine'], { stderr: 'Login' }, `${token}\n`);
  await fresh.cargo('logged-in', publish, { stderr: 'Published logged-in v0.1.0' });
  await fresh.cargo('logged-in', ['logout', '--registry', 'mine']);
  await fresh.cargo('logged-in', ['yank', '--registry', 'mine', '--version', '0.1.0'], { status: 101 });
}

/** Publishes a library, a renamed dependency, a `links` crate, a workspace, and a version that already exists. */
async function publishAll(alice: ServeClient, registry: ServedRegistry): Promise<void> {
  const publish = ['publish', '--registry', 'mine', '--allow-dirty'];
  alice.library('base-lib', '1.0.0', ['[features]', 'default = ["std"]', 'std = []', 'more = ["std"]']);
  alice.write('base-lib/README.md', ['# base-lib', '']);
  const published = /Uploaded base-lib v1\.0\.0 .*\n(?:note: .*\n(?:.*\n)?)?\s+Published base-lib v1\.0\.0/;
  await alice.cargo('base-lib', publish, { stderr: published });
  await alice.cargo('base-lib', publish, {
    status: 101,
    stderr: 'base-lib@1.0.0 already exists on `mine` index',
  });

  alice.library('renamer', '0.2.0', [
    '[dependencies]',
    'basis = { package = "base-lib", version = "1", registry = "mine", default-features = false, features = ["more"] }',
  ]);
  alice.write('renamer/src/lib.rs', ["pub fn name() -> &'static str { basis::name() }", '']);
  await alice.cargo('renamer', publish);

  alice.library('native-sys', '0.3.0', ['links = "native"']);
  alice.write('native-sys/build.rs', ['fn main() { println!("cargo::metadata=answer=42"); }', '']);
  await alice.cargo('native-sys', publish);

  alice.write('team/Cargo.toml', [
    '[workspace]',
    'members = ["core-part", "front-part"]',
    'resolver = "2"',
    '',
  ]);
  alice.library('team/core-part', '0.1.0');
  alice.library('team/front-part', '0.1.0', [
    '[dependencies]',
    'core-part = { path = "../core-part", version = "0.1", registry = "mine" }',
  ]);
  for (const name of ['core-part', 'front-part']) {
    const file = path.join(alice.folder, 'team', name, 'Cargo.toml');
    alice.write(`team/${name}/Cargo.toml`, [readFileSync(file, 'utf8').replace(`team/${name}`, name)]);
  }
  await alice.cargo('team', [...publish, '--workspace'], { stderr: 'Published' });

  // Here the server refuses the version, and not cargo because of the index.
  const { status, text } = await sendAgain(registry);
  if (status !== 409 || !text.includes('"errors"')) alice.fault(`a second publish: ${status} ${text}`);
}

/** Sends a body that has been published already. */
async function sendAgain(
  registry: ServedRegistry,
): Promise<{ readonly status: number; readonly text: string }> {
  const download = await fetch(`${registry.url}/api/v1/crates/base-lib/1.0.0/download`);
  const crate = Buffer.from(await download.arrayBuffer());
  const json = Buffer.from(JSON.stringify({ name: 'base-lib', vers: '1.0.0' }));
  const answer = await fetch(`${registry.url}/api/v1/crates/new`, {
    method: 'PUT',
    headers: { authorization: await registry.token('alice') },
    body: new Uint8Array(frameBody(json, crate)),
  });
  return { status: answer.status, text: await answer.text() };
}

/** Tests yank and unyank, owners, search and info. */
async function changeThem(alice: ServeClient): Promise<void> {
  const yank = ['yank', '--registry', 'mine', 'base-lib', '--version', '1.0.0'];
  await alice.cargo('.', yank, { stderr: 'Yank base-lib@1.0.0' });
  alice.write('user/Cargo.toml', [
    ...['[package]', 'name = "user"', 'version = "0.1.0"', 'edition = "2021"', '[dependencies]'],
    ...['base-lib = { version = "1", registry = "mine" }', ''],
  ]);
  alice.write('user/src/lib.rs', ['']);
  await alice.cargo('user', ['generate-lockfile'], { status: 101, stderr: 'yanked' });
  await alice.cargo('.', [...yank, '--undo'], { stderr: 'Unyank base-lib@1.0.0' });
  await alice.cargo('user', ['generate-lockfile'], { stderr: 'Locking' });
  await alice.cargo('.', ['yank', '--registry', 'mine', 'base-lib', '--version', '9.9.9'], {
    status: 101,
    stderr: 'crate `base-lib` does not have a version `9.9.9`',
  });

  const owner = ['owner', '--registry', 'mine', 'base-lib'];
  await alice.cargo('.', [...owner, '--list'], { stdout: 'alice\n' });
  await alice.cargo('.', [...owner, '--add', 'bob'], {
    stderr: 'Owner user bob has been added as an owner of crate base-lib',
  });
  await alice.cargo('.', [...owner, '--list'], { stdout: 'alice\nbob\n' });
  await alice.cargo('.', [...owner, '--remove', 'bob'], {
    stderr: 'Owner removing ["bob"] from crate base-lib',
  });
  await alice.cargo('.', [...owner, '--remove', 'alice'], {
    status: 101,
    stderr: 'at least one user is required',
  });
  await alice.cargo('.', [...owner, '--add', 'nobody'], { status: 101, stderr: 'could not find user' });

  await alice.cargo('.', ['search', '--registry', 'mine', 'base'], {
    stdout: 'base-lib = "1.0.0"    # The library base-lib\n',
  });
  await alice.cargo('.', ['search', '--registry', 'mine', '--limit', '1', 'part'], {
    stdout: /^\w+-part = "0\.1\.0" .*\n\.\.\. and 1 crates more/,
  });
  await alice.cargo('.', ['search', '--registry', 'mine', 'nothing-of-the-kind'], { stdout: /^$/ });
  await alice.cargo('.', ['info', '--registry', 'mine', 'base-lib'], { stdout: /^base-lib\n/ });
}

/** Builds a project that uses all crates. Then checks that cargo only asks the index for changes. */
async function dependOnThem(alice: ServeClient, registry: ServedRegistry): Promise<void> {
  const names = ['base-lib', 'renamer', 'native-sys', 'front-part'];
  alice.write('project/Cargo.toml', [
    ...['[package]', 'name = "project"', 'version = "0.1.0"', 'edition = "2021"', '[dependencies]'],
    ...names.map((name) => `${name} = { version = "*", registry = "mine" }`),
    '',
  ]);
  alice.write('project/src/main.rs', [
    'fn main() { println!("{} {} {} {}", base_lib::name(), renamer::name(), native_sys::name(), front_part::name()); }',
    '',
  ]);
  await alice.cargo('project', ['build']);
  await alice.cargo('project', ['run', '--quiet'], {
    stdout: 'base-lib 1.0.0 base-lib 1.0.0 native-sys 0.3.0 team/front-part 0.1.0\n',
  });
  const before = registry.log().length;
  await alice.cargo('project', ['update'], { stderr: 'Updating' });
  const asked = registry
    .log()
    .slice(before)
    .split('\n')
    .filter((line) => line.includes('"path":"/index/') && !line.includes('config.json'))
    .map((line): { path: string; status: number } => JSON.parse(line));
  if (asked.length === 0) alice.fault('cargo update asked for nothing');
  for (const { path: file, status } of asked)
    if (status !== 304) alice.fault(`${file} was answered with ${status}`);
  // A later download has the checksums of the lock file.
  const cache = path.join(alice.home, 'registry', 'cache');
  for (const folder of readdirSync(cache)) rmSync(path.join(cache, folder), { recursive: true });
  await alice.cargo('project', ['fetch', '--locked'], { stderr: 'Downloaded' });
}

/** Tests a registry where everything needs a token: with a valid one, an invalid one, and none. */
async function usePrivateRegistry(context: Context, report: KindReport): Promise<void> {
  const folder = path.join(context.scratch, 'serve', 'private');
  await using registry = await serveRegistry(folder, ['--auth-required']);
  const token = await registry.token('carol');
  const client = (name: string, withToken: string | null): ServeClient => {
    const made = new ServeClient(context, report, { name, registry, token: withToken });
    made.write('user/Cargo.toml', [
      ...['[package]', 'name = "user"', 'version = "0.1.0"', 'edition = "2021"', '[dependencies]'],
      ...['hidden = { version = "1", registry = "mine" }', ''],
    ]);
    made.write('user/src/lib.rs', ['']);
    return made;
  };
  const good = client('good', token);
  good.library('hidden', '1.0.0');
  await good.cargo('hidden', ['publish', '--registry', 'mine', '--allow-dirty'], {
    stderr: 'Published hidden',
  });
  await good.cargo('user', ['fetch'], { stderr: 'Downloaded' });
  await good.cargo('.', ['search', '--registry', 'mine', 'hidden'], { stdout: 'hidden = "1.0.0"' });
  await good.cargo('.', ['owner', '--registry', 'mine', '--list', 'hidden'], { stdout: 'carol\n' });
  await good.cargo('.', ['info', '--registry', 'mine', 'hidden'], { stdout: /^hidden\n/ });

  const bad = client('bad', 'nonsense');
  await bad.cargo('user', ['fetch'], { status: 101, stderr: 'token rejected for `mine`' });
  await bad.cargo('.', ['search', '--registry', 'mine', 'hidden'], {
    status: 101,
    stderr: 'token rejected for `mine`',
  });

  const none = client('none', null);
  await none.cargo('user', ['fetch'], {
    status: 101,
    stderr: 'no token found for `mine`, please run `cargo login --registry mine`',
  });
  await none.cargo(
    '.',
    ['login', '--registry', 'mine'],
    { stderr: 'Login token for `mine` saved' },
    `${token}\n`,
  );
  await none.cargo('user', ['fetch'], { stderr: 'Downloaded' });

  const reader = client('reader', await registry.token('dave', '--scope', 'read'));
  await reader.cargo('user', ['fetch'], { stderr: 'Downloaded' });
  await reader.cargo('.', ['yank', '--registry', 'mine', 'hidden', '--version', '1.0.0'], {
    status: 101,
    stderr: 'the token does not allow this',
  });
}
