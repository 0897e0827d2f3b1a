import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { pathLine } from '../../../src/commands/shim/path-line.ts';
import { onWindows } from '../../helpers/system.ts';

const FOLDER = `/it's $HOME \\ "x" \`y\``;

describe('pathLine', () => {
  it.skipIf(onWindows)(
    'quotes a folder so that sh reads it unchanged (not on Windows, which has no sh)',
    () => {
      const line = pathLine(FOLDER, {}, 'linux');
      const env = { PATH: '/usr/bin:/bin' };
      const said = execFileSync('/bin/sh', ['-c', `${line}; printf %s "$PATH"`], { env, encoding: 'utf8' });
      expect(said).toBe(`${FOLDER}:/usr/bin:/bin`);
    },
  );

  it('uses the syntax of the current shell', () => {
    expect(pathLine('/a b', { SHELL: '/usr/bin/fish' }, 'linux')).toBe("set -gx PATH '/a b' $PATH");
    expect(pathLine("/it's\\", { SHELL: 'fish' }, 'darwin')).toBe("set -gx PATH '/it\\'s\\\\' $PATH");
    expect(pathLine('/a b', { SHELL: '/bin/zsh' }, 'darwin')).toBe(`export PATH='/a b':"$PATH"`);
    expect(pathLine("C:\\it's", {}, 'win32')).toBe("$env:Path = 'C:\\it''s;' + $env:Path");
  });
});
