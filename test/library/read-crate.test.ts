import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { packageCrate, readCrate } from '../../src/index.ts';
import { buildCrate, type CrateDecl } from '../helpers/crate.ts';
import { present } from '../../src/core/errors/assert.ts';
import { makeTempDir } from '../helpers/temp-dir.ts';
import { writeTree } from '../helpers/tree.ts';

const temp = makeTempDir('read-crate');
afterAll(() => temp.remove());

function archiveOf(decl: Partial<CrateDecl>): Uint8Array {
  const { archive } = buildCrate(
    { name: 'demo', version: '1.0.0', ...decl },
    () => 'sparse+https://x.example/',
  );
  return present(archive, 'the archive');
}

const textOf = ({ content }: { readonly content: Uint8Array }): string => Buffer.from(content).toString();

describe('readCrate', () => {
  it('reads a file that `packageCrate` made', async () => {
    const cwd = path.join(temp.path, 'ws');
    writeTree(cwd, {
      'Cargo.toml':
        '[package]\nname = "made"\nversion = "0.2.0"\nedition = "2021"\nlicense = "MIT"\ndescription = "d"\n',
      'src/lib.rs': '// made\n',
      LICENSE: 'The licence',
    });
    const env = { CARGO_HOME: path.join(temp.path, 'home'), PATH: process.env['PATH'] };
    const [packaged] = await packageCrate({ cwd, env, noVerify: true });
    const { path: file, checksum } = present(packaged, 'the archive');
    const crate = await readCrate(path.relative(cwd, file), { cwd });
    expect(crate).toMatchObject({ name: 'made', version: '0.2.0', checksum, vcs: null });
    expect(crate.manifest.package).toMatchObject({ name: 'made', license: 'MIT' });
    const paths = crate.files.map((entry) => entry.path);
    expect(paths).toEqual(['Cargo.lock', 'Cargo.toml', 'Cargo.toml.orig', 'LICENSE', 'src/lib.rs']);
    expect(textOf(present(crate.files[3], 'the licence'))).toBe('The licence');
    expect(await readCrate(readFileSync(file))).toEqual(crate);
  });

  it('returns the commit that the crate was made from', async () => {
    const info = { git: { sha1: 'abc123', dirty: true }, path_in_vcs: 'crates/demo' };
    const files = { 'src/lib.rs': '', '.cargo_vcs_info.json': JSON.stringify(info) };
    const archive = archiveOf({ files });
    const { vcs, checksum } = await readCrate(new Uint8Array(archive));
    expect(vcs).toEqual({ commit: 'abc123', isDirty: true, path: 'crates/demo' });
    expect(checksum).toBe(createHash('sha256').update(archive).digest('hex'));
    const old = archiveOf({ files: { ...files, '.cargo_vcs_info.json': '{"git":{"sha1":"abc"}}' } });
    expect((await readCrate(old)).vcs).toEqual({ commit: 'abc', isDirty: false, path: '' });
  });

  it.each(['nope', '{}', '{"git":{"sha1":1}}'])('returns no commit if that file is %j', async (text) => {
    const archive = archiveOf({ files: { 'src/lib.rs': '', '.cargo_vcs_info.json': text } });
    expect((await readCrate(archive)).vcs).toBeNull();
  });

  it.each<[string, Partial<CrateDecl>, string, string]>([
    ['that is cut off', { archive: 'cut' }, 'archive', ''],
    ['that is not gzip', { archive: 'garbage' }, 'archive', ''],
    [
      'with a link',
      { entries: [{ path: 'demo-1.0.0/x', link: '/etc' }] },
      'archive',
      'neither a file nor a folder',
    ],
    [
      'with a file outside',
      { entries: [{ path: 'x', text: '' }] },
      'archive',
      'is not in the folder `demo-1.0.0`',
    ],
    [
      'of another package',
      { manifest: '[package]\nname = "b"\nversion = "1.0.0"\n' },
      'archive',
      'that of `b-1.0.0`',
    ],
    ['with an invalid manifest', { manifest: 'nope' }, 'toml', ''],
  ])('rejects an archive %s', async (_, decl, code, message) => {
    const failure: unknown = await readCrate(archiveOf(decl)).catch((error: unknown) => error);
    expect(failure).toMatchObject({ name: 'TsregError', code, message: 'failed to read the archive' });
    expect(failure).toMatchObject({ cause: { message: expect.stringContaining(message) } });
  });

  it('rejects for paths that are no archives, and names them', async () => {
    const failureAt = (file: string): Promise<unknown> =>
      readCrate(file, { cwd: temp.path }).catch((error: unknown) => error);
    const missing = path.join(temp.path, 'none.crate');
    expect(await failureAt('none.crate')).toMatchObject({
      ...{ code: 'not-found', message: `there is no file \`${missing}\`` },
      hint: '`packageCrate` makes the `.crate` of a package',
    });
    mkdirSync(path.join(temp.path, 'folder'));
    expect(await failureAt('folder')).toMatchObject({ code: 'io' });
    const text = path.join(temp.path, 'text.crate');
    writeFileSync(text, 'nope');
    expect(await failureAt(text)).toMatchObject({
      code: 'archive',
      message: `failed to read the archive \`${text}\``,
    });
  });

  it('rejects values of the wrong type', async () => {
    const call = (...args: readonly unknown[]): Promise<unknown> => Reflect.apply(readCrate, null, args);
    await expect(call(5)).rejects.toThrow('`crate` must be a path or a `Uint8Array`, not this number');
    await expect(call('a', { cwd: 5 })).rejects.toThrow('`cwd` must be a string, not this number');
    await expect(call('a', { cwd: 'here' })).rejects.toThrow('`cwd` must be absolute, not `here`');
  });
});
