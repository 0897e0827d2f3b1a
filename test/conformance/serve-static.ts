import path from 'node:path';
import { imitateBucket } from '../helpers/imitated-bucket.ts';
import { tsregProgram } from '../helpers/program.ts';
import { serveRegistry } from '../helpers/served-registry.ts';
import { serveStatic } from '../helpers/static-server.ts';
import type { Context } from './context.ts';
import type { KindReport } from './report.ts';
import { ServeClient } from './serve-client.ts';

const PUBLISH = ['publish', '--registry', 'mine', '--allow-dirty'];

/** Tests a registry in a bucket whose public files another server serves, with real cargo as the client of both. */
export async function useStaticHalf(context: Context, report: KindReport): Promise<void> {
  await using bucket = await imitateBucket();
  await using files = await serveStatic(bucket);
  const env = Object.fromEntries(Object.entries(bucket.env).map(([name, value]) => [name, value ?? '']));
  const flags = ['--storage', bucket.url, '--static-url', files.url, '--download', 'redirect'];
  await using registry = await serveRegistry(
    path.join(context.scratch, 'serve', 'static'),
    flags,
    tsregProgram({ ...env, TSREG_STORAGE: bucket.url }),
  );
  const token = await registry.token('erin');
  const asStatic = { ...registry, index: `sparse+${files.url}/index/` };
  const erin = new ServeClient(context, report, { name: 'erin', registry: asStatic, token });
  erin.library('flat-lib', '1.0.0', ['[features]', 'more = []']);
  // The version is in the static index when the server responds, so cargo need not wait.
  await erin.cargo('flat-lib', PUBLISH, { stderr: 'Published flat-lib v1.0.0' });
  erin.library('Flat_User', '0.3.0+meta.1', [
    '[dependencies]',
    'flat-lib = { version = "1", registry = "mine", features = ["more"] }',
  ]);
  await erin.cargo('Flat_User', PUBLISH, { stderr: 'Published Flat_User v0.3.0+meta.1' });
  await erin.cargo('.', ['search', '--registry', 'mine', 'flat'], { stdout: 'flat-lib = "1.0.0"' });

  const build = async (client: ServeClient): Promise<void> => {
    client.write('project/Cargo.toml', [
      ...['[package]', 'name = "project"', 'version = "0.1.0"', 'edition = "2021"', '[dependencies]'],
      ...[
        'Flat_User = { version = "0.3", registry = "mine" }',
        'flat-lib = { version = "1", registry = "mine" }',
      ],
      '',
    ]);
    client.write('project/src/main.rs', ['fn main() { println!("{}", flat_lib::name()); }', '']);
    await client.cargo('project', ['run'], { stdout: 'flat-lib 1.0.0\n' });
  };
  // Everything comes from files, and no request for them reaches the server.
  const asked = registry.log().length;
  await build(new ServeClient(context, report, { name: 'static-reader', registry: asStatic, token: null }));
  const seen = registry.log().slice(asked);
  // Log lines may arrive late, so the pattern must not match requests of the earlier publishes and searches.
  const ofFiles = /"method":"GET","path":"\/(?:index|api\/v1\/crates\/)/;
  if (ofFiles.test(seen)) erin.fault(`the server was asked for static files:\n${seen}`);
  // The server's own index gives download URLs in the store.
  const reads = bucket.requests.length;
  await build(new ServeClient(context, report, { name: 'redirected', registry, token: null }));
  const signed = bucket.requests.slice(reads).filter(({ query }) => query.has('X-Amz-Signature'));
  if (signed.length !== 2) erin.fault(`${signed.length} archives were read at an address of the store`);

  const yank = ['yank', '--registry', 'mine', 'flat-lib', '--version', '1.0.0'];
  await erin.cargo('.', yank, { stderr: 'Yank flat-lib@1.0.0' });
  const late = new ServeClient(context, report, { name: 'late', registry: asStatic, token: null });
  late.library('user', '0.1.0', ['[dependencies]', 'flat-lib = { version = "1", registry = "mine" }']);
  await late.cargo('user', ['generate-lockfile'], { status: 101, stderr: 'yanked' });
  late.library('user', '0.1.0', ['[dependencies]', 'flat-lab = { version = "1", registry = "mine" }']);
  const absent = await late.cargo('user', ['generate-lockfile'], {
    status: 101,
    stderr: 'no matching package',
  });
  // A deleted crate leaves an empty index file. cargo must treat it as missing.
  bucket.objects.set('pre/static/index/fl/at/flat-lab', {
    ...{ bytes: Buffer.from(' \t\n'), headers: {}, changedAtMs: 1 },
  });
  const deleted = await late.cargo('user', ['generate-lockfile'], {
    status: 101,
    stderr: 'no matching package',
  });
  if (absent.stderr !== deleted.stderr) erin.fault(`${absent.stderr}\nis said otherwise:\n${deleted.stderr}`);
}
