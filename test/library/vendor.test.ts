import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { metadata, TsregError, vendor, type VendorOptions } from '../../src/index.ts';
import { projectRoot } from '../helpers/project-root.ts';
import { makeTempDir } from '../helpers/temp-dir.ts';

const temp = makeTempDir('vendor');
afterAll(() => temp.remove());

let count = 0;

/** Returns options for a fresh copy of the demo workspace with its own home. */
function demo(more: Omit<VendorOptions, 'cwd'> = {}): VendorOptions & { readonly cwd: string } {
  count += 1;
  const base = path.join(temp.path, `demo-${count}`);
  cpSync(path.join(projectRoot, 'fixtures', 'demo'), path.join(base, 'ws'), { recursive: true });
  const env = { CARGO_HOME: path.join(base, 'home'), PATH: process.env['PATH'] };
  return { cwd: path.join(base, 'ws'), env, respectSourceConfig: true, ...more };
}

async function errorOf(options: VendorOptions): Promise<TsregError> {
  const outcome = await vendor(options).catch((error: unknown) => error);
  if (outcome instanceof TsregError) return outcome;
  throw new Error('it was no TsregError', { cause: outcome });
}

/** Replaces the archive of a package in the registry with one that cannot be unpacked. */
function spoilArchive(options: { readonly cwd: string }, name: string): void {
  writeFileSync(path.join(options.cwd, 'registry', `${name}.crate`), 'no archive');
}

describe('vendor', () => {
  it('returns the vendored packages and a configuration that replaces the registry', async () => {
    const said: string[] = [];
    const options = demo({ report: { status: (verb, text) => said.push(`${verb} ${text.split(' (')[0]}`) } });
    const { config, packages } = await vendor(options);
    expect(packages.map(({ name, version, root }) => [name, version, path.basename(root)])).toEqual([
      ['kettle', '0.3.2', 'kettle-0.3.2'],
      ['kettle', '0.4.0', 'kettle'],
      ['lantern', '1.1.0', 'lantern'],
      ['tide', '2.0.3', 'tide'],
    ]);
    for (const { root } of packages) expect(existsSync(path.join(root, 'Cargo.toml'))).toBe(true);
    expect(config).toBe(
      '[source.crates-io]\nreplace-with = "vendored-sources"\n\n[source.vendored-sources]\ndirectory = "vendor"\n',
    );
    expect(said.filter((line) => line.startsWith('Vendoring'))).toEqual([
      'Vendoring kettle v0.3.2',
      'Vendoring kettle v0.4.0',
      'Vendoring lantern v1.1.0',
      'Vendoring tide v2.0.3',
    ]);
    rmSync(path.join(options.cwd, 'registry'), { recursive: true });
    writeFileSync(path.join(options.cwd, '.cargo', 'config.toml'), config ?? '');
    const { cwd, env } = options;
    const empty = { ...env, CARGO_HOME: path.join(cwd, '../other-home') };
    const document = (await metadata({ cwd, env: empty, offline: true, locked: true })).parse();
    const roots = document.packages.map(({ manifest_path }) => path.dirname(manifest_path));
    for (const { root } of packages) expect(roots).toContain(root);
  });

  it('leaves a package that it cannot replace, and those after it, unchanged', async () => {
    const options = demo({ noDelete: true });
    await vendor(options);
    const folder = path.join(options.cwd, 'vendor');
    for (const name of ['kettle', 'lantern', 'tide']) writeFileSync(path.join(folder, name, 'old'), '');
    spoilArchive(options, 'lantern-1.1.0');
    const error = await errorOf(options);
    expect(error.message).toBe('failed to sync');
    const hasOld = (name: string): boolean => existsSync(path.join(folder, name, 'old'));
    expect(['kettle', 'lantern', 'tide'].map(hasOld)).toEqual([false, true, true]);
    expect(readdirSync(folder).sort()).toEqual(['kettle', 'kettle-0.3.2', 'lantern', 'tide']);
  });

  it('keeps a file with the name of a package', async () => {
    const options = demo();
    mkdirSync(path.join(options.cwd, 'vendor'));
    writeFileSync(path.join(options.cwd, 'vendor', 'tide'), 'mine');
    const { cause } = await errorOf(options);
    expect(cause).toMatchObject({ message: 'failed to copy vendored sources for tide v2.0.3' });
    expect(readFileSync(path.join(options.cwd, 'vendor', 'tide'), 'utf8')).toBe('mine');
  });

  it('removes the remains of a killed run and follows no link', async () => {
    const options = demo({ path: 'far/../vendor', env: { PATH: process.env['PATH'] } });
    const { cwd } = options;
    const folder = path.join(cwd, 'vendor');
    mkdirSync(path.join(folder, '.tsreg-0123456789ab', 'kettle-0.4.1'), { recursive: true });
    mkdirSync(path.join(cwd, 'far'));
    writeFileSync(path.join(cwd, 'far', 'kept'), '');
    symlinkSync('../far', path.join(folder, 'link'));
    symlinkSync('../far', path.join(folder, 'tide'));
    await vendor({ ...options, env: { ...options.env, CARGO_HOME: path.join(cwd, '../home') } });
    expect(readdirSync(folder).sort()).toEqual(['kettle', 'kettle-0.3.2', 'lantern', 'tide']);
    expect(readdirSync(path.join(cwd, 'far'))).toEqual(['kept']);
  });

  it('stops on an abort and leaves no temporary files', async () => {
    const controller = new AbortController();
    const options = demo({
      signal: controller.signal,
      report: { status: (verb) => verb === 'Vendoring' && controller.abort() },
    });
    expect((await errorOf(options)).code).toBe('aborted');
    expect(readdirSync(path.join(options.cwd, 'vendor'))).toEqual(['kettle-0.3.2']);
  });

  it('refuses an empty path', async () => {
    expect(await errorOf(demo({ path: '' }))).toMatchObject({ code: 'usage' });
  });
});
