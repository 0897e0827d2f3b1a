import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { HeldStamps } from '../../src/disk/held-stamps.ts';
import { type Stamp, takeStamp } from '../../src/disk/stamp.ts';
import { makeTempDir } from '../helpers/temp-dir.ts';

const temp = makeTempDir('held-stamps');
afterAll(() => temp.remove());

function stampOf(file: string): Stamp {
  const stamp = takeStamp(file);
  if (stamp === null) throw new Error(`no ${file}`);
  return stamp;
}

it('asks once for what holds, and again for every other stamp of the file', () => {
  const file = path.join(temp.path, 'a');
  writeFileSync(file, 'one');
  const first = stampOf(file);
  const stamps = new HeldStamps();
  expect(stamps.holds(first)).toBe(true);
  for (const field of ['size', 'modifiedMs', 'changedMs', 'inode'] as const)
    expect(stamps.holds({ ...first, [field]: first[field] + 1 }), field).toBe(false);
  writeFileSync(file, 'three');
  // The moment is over only for who looks anew.
  expect(stamps.holds(first)).toBe(true);
  expect(new HeldStamps().holds(first)).toBe(false);
  expect(stamps.holds(stampOf(file))).toBe(true);
  rmSync(file);
  expect(new HeldStamps().holds(first)).toBe(false);
});
