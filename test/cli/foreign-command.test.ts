import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { customCommands, findCustomCommand } from '../../src/cli/foreign-command.ts';
import { onWindows } from '../helpers/system.ts';
import { makeTempDir } from '../helpers/temp-dir.ts';

const temp = makeTempDir('foreign-command');
const cwd = process.cwd();
afterAll(() => {
  process.chdir(cwd);
  temp.remove();
});

it.skipIf(onWindows)(
  'without a PATH, finds commands only in the home of cargo, as cargo does (not on Windows: shell scripts)',
  () => {
    const home = path.join(temp.path, 'home');
    mkdirSync(path.join(home, 'bin'), { recursive: true });
    for (const file of [path.join(temp.path, 'cargo-here'), path.join(home, 'bin', 'cargo-there')]) {
      writeFileSync(file, '#!/bin/sh\n');
      chmodSync(file, 0o755);
    }
    process.chdir(temp.path);
    expect(findCustomCommand('here', { home, env: {} })).toBeNull();
    expect([...customCommands({ home, env: {} }).keys()]).toEqual(['there']);
    // An empty folder in the PATH is the working folder.
    expect(findCustomCommand('here', { home, env: { PATH: '' } })).toContain('cargo-here');
  },
);
