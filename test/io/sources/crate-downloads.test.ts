import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { storeCrate } from '../../../src/io/sources/crate-file.ts';
import { makeTempDir } from '../../helpers/temp-dir.ts';

const temp = makeTempDir('crate-file');
afterAll(() => temp.remove());

test('storeCrate names the folder that it cannot create', async () => {
  const taken = join(temp.path, 'taken');
  writeFileSync(taken, '');
  const storing = storeCrate(join(taken, 'cache', 'a-1.0.0.crate'), Buffer.from('x'));
  await expect(storing).rejects.toThrow(`failed to create directory \`${join(taken, 'cache')}\``);
});

test('storeCrate names the archive that it cannot write', async () => {
  const storing = storeCrate(temp.path, Buffer.from('x'));
  await expect(storing).rejects.toThrow(`failed to open \`${temp.path}\``);
});
