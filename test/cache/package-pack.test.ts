import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { PackagePacks } from '../../src/cache/package-pack.ts';
import { takeFingerprint } from '../../src/io/disk/fingerprint.ts';
import { makeTempDir } from '../helpers/temp-dir.ts';

const temp = makeTempDir('package-pack');
afterAll(() => temp.remove());

const home = path.join(temp.path, 'home');
const SOURCE = 'registry+https://example.org/index';

function unpack(name: string): string {
  const root = path.join(temp.path, 'src', name);
  mkdirSync(root, { recursive: true });
  writeFileSync(path.join(root, 'Cargo.toml'), `# ${name}`);
  return root;
}

function add(packs: PackagePacks, root: string): void {
  const manifest = takeFingerprint(path.join(root, 'Cargo.toml'));
  if (manifest === null) throw new Error('no manifest');
  packs.add({ root, source: SOURCE }, manifest, { libraryName: 'lib', head: `head ${root}`, tail: 'täil' });
}

function found(build: string, root: string, source = SOURCE): string | null {
  const entry = new PackagePacks(home, build).find({ root, source });
  return entry === null
    ? null
    : Buffer.concat([entry.head, entry.tail].map((each) => Buffer.from(each))).toString();
}

test('finds entries of an earlier run for the same build, folder, source and manifest', () => {
  const [a, b] = [unpack('a-1.0.0'), unpack('b-1.0.0')];
  const packs = new PackagePacks(home, 'build');
  add(packs, a);
  packs.save();
  const more = new PackagePacks(home, 'build');
  add(more, b);
  more.save();
  expect(found('build', a)).toBe(`head ${a}täil`);
  expect(found('build', b)).toBe(`head ${b}täil`);
  expect(found('other', a)).toBeNull();
  expect(found('build', a, 'registry+https://example.org/other')).toBeNull();
  writeFileSync(path.join(a, 'Cargo.toml'), '# changed');
  expect(found('build', a)).toBeNull();
  expect(found('build', b)).not.toBeNull();
});

test('treats a damaged pack as empty', () => {
  const folder = path.join(home, 'tsreg', 'cache', 'packages');
  const [name = ''] = readdirSync(folder);
  const file = path.join(folder, name);
  const whole = readFileSync(file);
  const b = path.join(temp.path, 'src', 'b-1.0.0');
  for (let at = 0; at < whole.length; at += 1) {
    const damaged = Buffer.from(whole);
    damaged[at] = (damaged[at] ?? 0) ^ (1 << (at % 8));
    writeFileSync(file, damaged);
    if (found('build', b) !== null) expect.fail(`byte ${at} is believed`);
  }
  writeFileSync(file, whole);
  expect(found('build', b)).not.toBeNull();
});
