import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { runCargo } from '../../../src/io/toolchain/run-cargo.ts';
import { onWindows } from '../../helpers/system.ts';
import { makeTempDir } from '../../helpers/temp-dir.ts';

const temp = makeTempDir('run-cargo');
afterAll(() => temp.remove());

function cargo(name: string, text: string) {
  const file = path.join(temp.path, name);
  writeFileSync(file, `#!/bin/sh\n${text}\n`);
  chmodSync(file, 0o755);
  return { path: file, release: '1.95.0', env: { PATH: '/usr/bin:/bin', MINE: 'mine' } };
}

describe.skipIf(onWindows)('runCargo (not on Windows: the programs are shell scripts)', () => {
  const { signal } = new AbortController();

  it('passes arguments and variables, and returns the exit status', async () => {
    const program = cargo('cargo', `echo "$MINE $MORE $PWD $*" > ${temp.path}/said; exit 7`);
    const options = { cwd: temp.path, variables: { MORE: 'more' }, signal };
    expect(await runCargo(program, ['build', '-q'], options)).toBe(7);
    expect(readFileSync(path.join(temp.path, 'said'), 'utf8')).toBe(`mine more ${temp.path} build -q\n`);
  });

  it('reports a program that cannot be started', async () => {
    const program = { ...cargo('gone', ''), path: path.join(temp.path, 'nowhere') };
    await expect(runCargo(program, [], { cwd: temp.path, signal })).rejects.toThrow('(never executed)');
  });

  it('rejects when it is aborted', async () => {
    const controller = new AbortController();
    const program = cargo('slow', 'exec sleep 60');
    const run = runCargo(program, [], { cwd: temp.path, signal: controller.signal });
    setTimeout(() => controller.abort(new Error('enough')), 50);
    await expect(run).rejects.toThrow('enough');
  });
});
