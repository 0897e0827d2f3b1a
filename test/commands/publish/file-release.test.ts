import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, test } from 'vitest';
import { loadConfig } from '../../../src/io/config/config.ts';
import { fileRelease } from '../../../src/commands/publish/file-release.ts';
import { recordingContext } from '../../helpers/recording-report.ts';
import { packTar } from '../../helpers/tar.ts';
import { makeTempDir } from '../../helpers/temp-dir.ts';

const temp = makeTempDir('publish-file');
afterAll(() => temp.remove());

const PACKAGE = '[package]\nname = "a"\nversion = "1.0.0"\nedition = "2018"\n';
const MANIFEST = '[package]\nname = "a"\nversion = "1.0.0"\nedition = "2021"\n\n[lib]\npath = "src/lib.rs"\n';

function release(files: Readonly<Record<string, string>>, spoil = (bytes: Buffer): Buffer => bytes) {
  const entries = Object.entries(files).map(([name, text]) => ({ path: name, data: Buffer.from(text) }));
  writeFileSync(path.join(temp.path, 'x.crate'), spoil(gzipSync(packTar(entries))));
  const { context, lines } = recordingContext();
  const env = { HOME: temp.path, CARGO_HOME: temp.path };
  const config = loadConfig({ cwd: temp.path, env, report: context.report });
  return {
    lines,
    released: fileRelease({ file: 'x.crate', config, registry: { registry: null, index: null } }, context),
  };
}

async function causesOf(release: Promise<unknown>): Promise<string> {
  try {
    await release;
  } catch (error) {
    const messages: string[] = [];
    for (let at = error; at instanceof Error; at = at.cause) messages.push(at.message);
    return messages.join('\n');
  }
  return '';
}

describe('fileRelease', () => {
  test('returns the package inside and the registry that its manifest allows', async () => {
    const text = MANIFEST.replace('edition', 'publish = ["own"]\nedition');
    const { released, lines } = release({ 'a-1.0.0/Cargo.toml': text, 'a-1.0.0/src/lib.rs': '' });
    const { manifests, choice, unpublishable } = await released;
    expect(manifests.map(({ summary }) => `${summary.id.name} ${summary.id.version.text}`)).toEqual([
      'a 1.0.0',
    ]);
    expect([choice, unpublishable]).toEqual([{ kind: 'registry', name: 'own' }, []]);
    expect(lines).toEqual(['note: found `own` as only allowed registry. Publishing to it automatically.']);
  });

  // Releases of cargo before 1.80 packed such manifests.
  test.each<[string, Readonly<Record<string, string>>, readonly string[]]>([
    ['a library that no table names', { 'Cargo.toml': PACKAGE, 'src/lib.rs': '' }, ['lib a src/lib.rs']],
    [
      'a library whose table has no path',
      { 'Cargo.toml': `${PACKAGE}[lib]\nname = "other"\n`, 'src/lib.rs': '' },
      ['lib other src/lib.rs'],
    ],
    ['a program that no table names', { 'Cargo.toml': PACKAGE, 'src/main.rs': '' }, ['bin a src/main.rs']],
    [
      'programs in `src/bin` that no table names',
      { 'Cargo.toml': PACKAGE, 'src/bin/one.rs': '', 'src/bin/two/main.rs': '', 'src/bin/three/lib.rs': '' },
      ['bin one src/bin/one.rs', 'bin two src/bin/two/main.rs'],
    ],
    [
      'a program whose table has no path',
      { 'Cargo.toml': `${PACKAGE}[[bin]]\nname = "one"\n`, 'src/bin/one.rs': '' },
      ['bin one src/bin/one.rs'],
    ],
    [
      'a build script that no key names, and `links`',
      { 'Cargo.toml': `${PACKAGE}links = "z"\n`, 'build.rs': '', 'src/lib.rs': '' },
      ['lib a src/lib.rs', 'custom-build build-script-build build.rs'],
    ],
    [
      'tests, benches and examples whose tables have no path',
      {
        'Cargo.toml': `${PACKAGE}[[test]]\nname = "t"\n[[bench]]\nname = "b"\n[[example]]\nname = "e"\n`,
        ...{ 'src/lib.rs': '', 'tests/t.rs': '', 'benches/b.rs': '', 'examples/e/main.rs': '' },
      },
      ['lib a src/lib.rs', 'example e examples/e/main.rs', 'test t tests/t.rs', 'bench b benches/b.rs'],
    ],
  ])('infers %s from the files of the archive', async (_, files, expected) => {
    const inFolder = Object.entries(files).map(([name, text]) => [`a-1.0.0/${name}`, text]);
    const { manifests } = await release(Object.fromEntries(inFolder)).released;
    const targets = manifests.flatMap(({ targets }) => targets);
    const root = path.join(temp.path, 'x.crate', 'a-1.0.0');
    expect(
      targets.map(({ kind, name, srcPath }) => `${kind} ${name} ${path.relative(root, srcPath)}`),
    ).toEqual(expected);
  });

  test('finds a readme that the manifest does not name', async () => {
    const files = { 'a-1.0.0/Cargo.toml': PACKAGE, 'a-1.0.0/src/lib.rs': '', 'a-1.0.0/README.md': '# A' };
    const { manifests } = await release(files).released;
    expect(manifests.map(({ readme }) => readme)).toEqual(['README.md']);
  });

  test.each([
    ['nothing', {}, 'Cargo.toml'],
    ['no target', { 'a-1.0.0/Cargo.toml': PACKAGE, 'a-1.0.0/x': '' }, 'no targets specified in the manifest'],
    [
      'a library whose file is not there',
      { 'a-1.0.0/Cargo.toml': `${PACKAGE}[lib]\nname = "other"\n`, 'a-1.0.0/src/main.rs': '' },
      "can't find library `other`",
    ],
    ['another folder', { 'b-1.0.0/Cargo.toml': MANIFEST }, 'its manifest is that of `a-1.0.0`'],
    ['two folders', { 'a-1.0.0/Cargo.toml': MANIFEST, 'b/x': '' }, 'is not in the folder'],
    ['a way out', { 'a-1.0.0/Cargo.toml': MANIFEST, 'a-1.0.0/../x': '' }, 'is not in the folder'],
    ['no manifest', { 'a-1.0.0/src/lib.rs': '' }, 'has no `Cargo.toml`'],
    ['a manifest that is none', { 'a-1.0.0/Cargo.toml': 'x = ' }, 'failed to read the archive'],
    [
      'what may not be published',
      {
        'a-1.0.0/Cargo.toml': MANIFEST.replace('edition', 'publish = false\nedition'),
      },
      '`a` cannot be published',
    ],
    [
      'a folder that steers the terminal',
      { 'a\u001b[31m/Cargo.toml': MANIFEST },
      'failed to read the archive',
    ],
  ])('refuses an archive with %s', async (_, files, words) => {
    const message = await causesOf(release(files).released);
    expect(message).toContain(words);
    expect(message).not.toContain('\u001b');
  });

  test('refuses an archive that is cut anywhere', async () => {
    const files = { 'a-1.0.0/Cargo.toml': MANIFEST, 'a-1.0.0/src/lib.rs': 'x'.repeat(2000) };
    let size = 1;
    for (let at = 0; at < size - 8; at += 17) {
      const { released } = release(files, (bytes) => {
        size = bytes.length;
        return bytes.subarray(0, at);
      });
      expect(await causesOf(released)).toContain('failed to read the archive');
    }
  });
});
