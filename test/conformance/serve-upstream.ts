import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { type ServedRegistry, serveRegistry } from '../helpers/served-registry.ts';
import type { Context } from './context.ts';
import type { KindReport } from './report.ts';
import { ServeClient } from './serve-client.ts';

const PUBLISH = ['publish', '--registry', 'mine', '--allow-dirty'];

/** Tests a registry of the subject that mirrors another one, with real cargo as the client of both. */
export async function useUpstream(context: Context, report: KindReport): Promise<void> {
  const folder = path.join(context.scratch, 'serve');
  await using above = await serveRegistry(path.join(folder, 'above'));
  const author = new ServeClient(context, report, {
    ...{ name: 'author', registry: above, token: await above.token('author') },
  });
  author.library('deep-lib', '1.0.0');
  await author.cargo('deep-lib', PUBLISH, { stderr: 'Published deep-lib v1.0.0' });
  author.library('wide-lib', '1.3.0', [
    ...['[dependencies]', 'deep-lib = { version = "1", registry = "mine" }'],
  ]);
  await author.cargo('wide-lib', PUBLISH, { stderr: 'Published wide-lib v1.3.0' });
  author.library('open-lib', '1.0.0', [
    ...['[dependencies]', 'deep-lib = { version = "1", registry = "mine", optional = true }'],
  ]);
  await author.cargo('open-lib', PUBLISH, { stderr: 'Published open-lib v1.0.0' });

  const flags = ['--upstream', above.index, '--upstream-refresh', '0'];
  await using mirror = await serveRegistry(path.join(folder, 'in-front'), flags);
  const own = new ServeClient(context, report, {
    ...{ name: 'own', registry: mirror, token: await mirror.token('own') },
  });
  await publishBeside(own);
  const user = clientOf(context, report, { name: 'in-front-user', registry: mirror });
  await build(user);
  await dependByName(own);
  await own.cargo('app', ['search', 'DEEP', '--registry', 'mine'], { stdout: /^deep-lib = "1\.0\.0"/ });
  await usePrivately(context, report, above);
  const block = ['--block', 'deep-lib'];
  await useRefusing(context, report, { above, flags: block, reason: 'blocks crate `deep-lib`; an admin' });
  const minAge = ['--min-publish-age', '1h', '--allow', 'wide-lib', '--allow', 'open-lib'];
  await useRefusing(context, report, {
    above,
    flags: minAge,
    reason: 'serves no version of crate `deep-lib`',
  });

  await above.stop();
  await buildWithout(user);
}

/** Publishes crates with new names, and checks that the upstream's names are refused. */
async function publishBeside(own: ServeClient): Promise<void> {
  own.library('own-lib', '0.1.0', [...['[dependencies]', 'wide-lib = { version = "1", registry = "mine" }']]);
  await own.cargo('own-lib', PUBLISH, { stderr: 'Published own-lib v0.1.0' });
  own.library('deep_lib', '9.0.0');
  await own.cargo('deep_lib', PUBLISH, {
    ...{
      status: 101,
      stderr: /\(status 409 Conflict\): a crate named `deep-lib` comes from the upstream/,
    },
  });
}

function clientOf(
  context: Context,
  report: KindReport,
  { name, registry, token = null }: { name: string; registry: ServedRegistry; token?: string | null },
): ServeClient {
  const client = new ServeClient(context, report, { name, registry, token });
  client.write('home/config.toml', [
    ...['[source.crates-io]', 'replace-with = "mine"', '[registries.mine]'],
    ...[`index = "${registry.index}"`, '[registry]', 'global-credential-providers = ["cargo:token"]', ''],
  ]);
  client.write('project/Cargo.toml', [
    ...['[package]', 'name = "project"', 'version = "0.1.0"', 'edition = "2021"', '[dependencies]'],
    ...['wide-lib = "1"', 'deep-lib = "1"', ''],
  ]);
  client.write('project/src/main.rs', [
    'fn main() { println!("{} {}", wide_lib::name(), deep_lib::name()); }',
    '',
  ]);
  return client;
}

async function build(user: ServeClient): Promise<void> {
  await user.cargo('project', ['run', '--quiet'], { stdout: 'wide-lib 1.3.0 deep-lib 1.0.0\n' });
  const sources = lockedSources(user, 'project');
  if (sources.length !== 2 || sources.some((line) => !line.includes('crates.io-index'))) {
    user.fault(`crates of the upstream are said to be from elsewhere: ${sources.join()}`);
  }
}

function lockedSources({ folder }: ServeClient, project: string): readonly string[] {
  const lock = readFileSync(path.join(folder, project, 'Cargo.lock'), 'utf8');
  return lock.split('\n').filter((line) => line.startsWith('source = '));
}

/** Uses the mirror as an additional registry: dependencies that name no registry come from the same one. */
async function dependByName(own: ServeClient): Promise<void> {
  own.write('app/Cargo.toml', [
    ...['[package]', 'name = "app"', 'version = "0.1.0"', 'edition = "2021"', '[dependencies]'],
    ...['own-lib = { version = "0.1", registry = "mine" }', ''],
  ]);
  own.write('app/src/lib.rs', ['']);
  await own.cargo('app', ['fetch'], { stderr: 'Downloaded own-lib v0.1.0 (registry `mine`)' });
  const sources = lockedSources(own, 'app');
  if (sources.length !== 3 || new Set(sources).size !== 1)
    own.fault(`not all are of \`mine\`: ${sources.join()}`);
}

async function usePrivately(context: Context, report: KindReport, above: ServedRegistry): Promise<void> {
  const folder = path.join(context.scratch, 'serve', 'in-front-private');
  await using mirror = await serveRegistry(folder, ['--upstream', above.index, '--auth-required']);
  const token = await mirror.token('reader', '--scope', 'read');
  const good = clientOf(context, report, { name: 'in-front-reader', registry: mirror, token });
  await good.cargo('project', ['fetch'], { stderr: 'Downloaded wide-lib v1.3.0' });
  const none = clientOf(context, report, { name: 'in-front-nobody', registry: mirror });
  await none.cargo('project', ['fetch'], { status: 101, stderr: 'no token found' });
}

/** Tests a mirror that refuses all versions of `deep-lib`: cargo shows the reason, and sends the request only once. */
async function useRefusing(
  context: Context,
  report: KindReport,
  { above, flags, reason }: { above: ServedRegistry; flags: readonly string[]; reason: string },
): Promise<void> {
  const name = `refusing-${flags[0]?.slice(2)}`;
  const folder = path.join(context.scratch, 'serve', name);
  await using mirror = await serveRegistry(folder, ['--upstream', above.index, ...flags]);
  const client = clientOf(context, report, { name: `user-of-${name}`, registry: mirror });
  const expected = { status: 101, stderr: `got 403\n  body:\n  this registry ${reason}` };
  const { stderr } = await client.cargo('project', ['generate-lockfile'], expected);
  if (stderr.includes('spurious')) client.fault(`cargo sends the request again: ${stderr}`);
  client.write('by-name/Cargo.toml', [
    ...['[package]', 'name = "by-name"', 'version = "0.1.0"', 'edition = "2021"', '[dependencies]'],
    ...['deep-lib = { version = "1", registry = "mine" }', ''],
  ]);
  client.write('by-name/src/lib.rs', ['']);
  await client.cargo('by-name', ['fetch'], expected);
  // Nothing enables the optional dependency on `deep-lib`.
  client.write('without/Cargo.toml', [
    ...['[package]', 'name = "without"', 'version = "0.1.0"', 'edition = "2021"', '[dependencies]'],
    ...['open-lib = "1"', ''],
  ]);
  client.write('without/src/lib.rs', ['']);
  await client.cargo('without', ['fetch'], { stderr: 'Downloaded open-lib v1.0.0' });
}

/** Tests the mirror without its upstream: cached crates still work, and others give an error. */
async function buildWithout(user: ServeClient): Promise<void> {
  for (const folder of ['home/registry', 'project/target']) {
    rmSync(path.join(user.folder, folder), { recursive: true });
  }
  await user.cargo('project', ['build', '--locked'], { stderr: 'Downloaded wide-lib v1.3.0' });
  user.write('other/Cargo.toml', [
    ...['[package]', 'name = "other"', 'version = "0.1.0"', 'edition = "2021"', '[dependencies]'],
    ...['not-there = "1"', ''],
  ]);
  user.write('other/src/lib.rs', ['']);
  await user.cargo('other', ['fetch', '--config', 'net.retry=0'], {
    ...{ status: 101, stderr: /got 502[^]*cannot get `no\/t-\/not-there` of its index from the upstream/ },
  });
}
