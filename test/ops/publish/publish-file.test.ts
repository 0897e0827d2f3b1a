import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, test } from 'vitest';
import { loadConfig } from '../../../src/config/config.ts';
import { fileRelease } from '../../../src/ops/publish/publish-file.ts';
import { recordingContext } from '../../helpers/recording-report.ts';
import { packTar } from '../../helpers/tar.ts';
import { makeTempDir } from '../../helpers/temp-dir.ts';

const temp = makeTempDir('publish-file');
afterAll(() => temp.remove());

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
  test('has the package that is inside, and goes where its manifest says', async () => {
    const text = MANIFEST.replace('edition', 'publish = ["own"]\nedition');
    const { released, lines } = release({ 'a-1.0.0/Cargo.toml': text, 'a-1.0.0/src/lib.rs': '' });
    const { manifests, choice, unpublishable } = await released;
    expect(manifests.map(({ summary }) => `${summary.id.name} ${summary.id.version.text}`)).toEqual([
      'a 1.0.0',
    ]);
    expect([choice, unpublishable]).toEqual([{ kind: 'registry', name: 'own' }, []]);
    expect(lines).toEqual(['note: found `own` as only allowed registry. Publishing to it automatically.']);
  });

  test.each([
    ['nothing', {}, 'Cargo.toml'],
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
