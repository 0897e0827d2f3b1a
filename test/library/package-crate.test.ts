import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { formatWarning, packageCrate, type PackageOptions, TsregError } from '../../src/index.ts';
import { makeTempDir } from '../helpers/temp-dir.ts';

const temp = makeTempDir('package-crate');
afterAll(() => temp.remove());

let count = 0;

/** Returns options for a workspace of two packages: `b`, and `a` with `b` as a dev-dependency. */
function pair(more: Omit<PackageOptions, 'cwd'> = {}): PackageOptions & { readonly cwd: string } {
  count += 1;
  const cwd = path.join(temp.path, `${count}`, 'ws');
  const files = {
    'Cargo.toml': "[workspace]\nmembers = ['a', 'b']\nresolver = '2'\n",
    'a/Cargo.toml':
      "[package]\nname = 'a'\nversion = '0.1.0'\nedition = '2021'\n[dev-dependencies]\nb = { path = '../b' }\n",
    'a/src/lib.rs': '',
    'b/Cargo.toml': "[package]\nname = 'b'\nversion = '2.0.0'\nedition = '2021'\nlicense = 'MIT'\n",
    'b/src/lib.rs': '// b\n',
  };
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(cwd, name)), { recursive: true });
    writeFileSync(path.join(cwd, name), text);
  }
  const env = { CARGO_HOME: path.join(cwd, '../home'), PATH: process.env['PATH'] };
  return { cwd, env, noVerify: true, ...more };
}

async function errorOf(options: PackageOptions): Promise<TsregError> {
  const outcome = await packageCrate(options).catch((error: unknown) => error);
  if (outcome instanceof TsregError) return outcome;
  throw new Error('it was no TsregError', { cause: outcome });
}

describe('packageCrate', () => {
  it('returns the created archives and reports its progress', async () => {
    const said: string[] = [];
    const options = pair({
      report: {
        status: (verb, text) => said.push(`${verb} ${text.replace(/\d+B compressed/, 'compressed')}`),
        warning: (warning) => said.push(formatWarning(warning).split('\n')[0] ?? ''),
      },
    });
    const crates = await packageCrate(options);
    const folder = path.join(options.cwd, 'target', 'package');
    expect(crates).toMatchObject([
      { name: 'a', version: '0.1.0', path: path.join(folder, 'a-0.1.0.crate'), fileCount: 4 },
      { name: 'b', version: '2.0.0', path: path.join(folder, 'b-2.0.0.crate'), fileCount: 4 },
    ]);
    for (const crate of crates) {
      const archive = readFileSync(crate.path);
      expect(archive).toHaveLength(crate.compressedBytes);
      expect(createHash('sha256').update(archive).digest('hex')).toBe(crate.checksum);
    }
    expect(said).toMatchObject([
      'warning: manifest has no description, license, license-file, documentation, homepage or repository',
      `Packaging a v0.1.0 (${options.cwd}/a)`,
      expect.stringMatching(/^Packaged 4 files, \S+ \(compressed\)$/),
      'warning: manifest has no description, documentation, homepage or repository',
      `Packaging b v2.0.0 (${options.cwd}/b)`,
      expect.stringMatching(/^Packaged 4 files, /),
    ]);
    expect(existsSync(path.join(options.cwd, 'Cargo.lock'))).toBe(false);
  });

  it('writes only the selected package to another target directory', async () => {
    const options = pair({ packages: ['b@2'], targetDir: 'out', excludeLockfile: true });
    expect(await packageCrate(options)).toMatchObject([
      { name: 'b', path: path.join(options.cwd, 'out', 'package', 'b-2.0.0.crate'), fileCount: 3 },
    ]);
    expect(existsSync(path.join(options.cwd, 'target'))).toBe(false);
    expect(readFileSync(path.join(options.cwd, 'out', 'CACHEDIR.TAG'), 'utf8')).toMatch(/^Signature: 8a477f/);
  });

  it('changes no archive if one of them cannot be created', async () => {
    const options = pair({ noMetadata: true });
    const folder = path.join(options.cwd, 'target', 'package');
    mkdirSync(folder, { recursive: true });
    writeFileSync(path.join(folder, 'a-0.1.0.crate'), 'old');
    writeFileSync(
      path.join(options.cwd, 'b/Cargo.toml'),
      "[package]\nname = 'b'\nversion = '2.0.0'\nedition = '2021'\nexclude = ['*']\n",
    );
    const error = await errorOf(options);
    expect(error.message).toBe('failed to prepare local package for uploading');
    expect(readFileSync(path.join(folder, 'a-0.1.0.crate'), 'utf8')).toBe('old');
    expect(existsSync(path.join(folder, 'b-2.0.0.crate'))).toBe(false);
  });

  it.each<readonly [string, Partial<PackageOptions>, string]>([
    ['usage', { cwd: 'here' }, '`cwd` must be absolute, not `here`'],
    ['usage', { registry: 'x', index: 'y' }, '`registry` and `index` cannot be used together'],
    ['usage', { exclude: ['a'] }, '--exclude can only be used together with --workspace'],
    ['config', { registry: 'x' }, 'registry index was not found in any configuration: `x`'],
    ['not-found', { manifestPath: 'c' }, 'manifest path `c` does not exist'],
  ])('fails with the code %s for %j', async (code, more, message) => {
    const { code: actual, message: text } = await errorOf(pair(more));
    expect({ code: actual, message: text }).toEqual({ code, message });
  });

  it('stops on an abort and leaves no unfinished archive', async () => {
    const abort = new AbortController();
    const options = pair({
      signal: abort.signal,
      report: { status: (verb) => void (verb === 'Packaging' && abort.abort(new Error('enough'))) },
    });
    const error = await errorOf(options);
    expect(error).toMatchObject({ code: 'aborted', message: 'interrupted' });
    const left = readdirSync(path.join(options.cwd, 'target'), { recursive: true, encoding: 'utf8' });
    expect(left.filter((name) => /\.tmp$|^package\/[^/]+\.crate$/.test(name))).toEqual([]);
  });
});
