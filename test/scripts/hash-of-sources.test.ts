import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { projectRoot } from '../helpers/project-root.ts';
import { makeTempDir } from '../helpers/temp-dir.ts';

const { hashOfSources }: { hashOfSources: (folder: string) => string } = await import(
  path.join(projectRoot, 'scripts/hash-of-sources.mjs')
);

it('hashOfSources covers code, data and the versions of packages', () => {
  const temp = makeTempDir('hash-of-sources');
  const files = ['src/core/a.ts', 'src/core/table.json', 'package-lock.json'];
  mkdirSync(path.join(temp.path, 'src/core'), { recursive: true });
  for (const file of files) writeFileSync(path.join(temp.path, file), 'old');
  const hashes = [hashOfSources(temp.path)];
  for (const file of files) {
    writeFileSync(path.join(temp.path, file), 'new');
    hashes.push(hashOfSources(temp.path));
  }
  expect(new Set(hashes).size).toBe(4);
  temp.remove();
});
