import { chmodSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { askRustcVersion } from '../../../src/io/toolchain/rustc.ts';
import { onWindows } from '../../helpers/system.ts';
import { makeTempDir } from '../../helpers/temp-dir.ts';

const temp = makeTempDir('rustc');
afterAll(() => temp.remove());

function script(name: string, text: string): string {
  const file = path.join(temp.path, name);
  writeFileSync(file, `#!/bin/sh\n${text}\n`);
  chmodSync(file, 0o755);
  return file;
}

const answer = 'echo "rustc 1.90.0-nightly (x)"; echo "host: a-b-c"; echo "release: 1.90.0-nightly"';
const signal = new AbortController().signal;
const command = { wrapper: null, toolchain: null, cwd: temp.path, env: { PATH: '/usr/bin:/bin' } };

describe.skipIf(onWindows)('askRustcVersion (not on Windows: the programs are shell scripts)', () => {
  it('reads the release and the host', async () => {
    const program = script('rustc', `[ "$*" = -vV ] && { ${answer}; }`);
    expect(await askRustcVersion({ ...command, program }, signal)).toEqual({
      release: '1.90.0-nightly',
      host: 'a-b-c',
    });
  });

  it('uses the wrapper and the toolchain', async () => {
    const program = script(
      'real',
      '[ "$RUSTUP_TOOLCHAIN" = mine ] && echo "host: h" && echo "release: 1.0.0"',
    );
    const wrapper = script('wrapper', 'exec "$@"');
    expect(await askRustcVersion({ ...command, program, wrapper, toolchain: 'mine' }, signal)).toEqual({
      release: '1.0.0',
      host: 'h',
    });
  });

  it('returns null without a working compiler', async () => {
    expect(await askRustcVersion({ ...command, program: '/nonexistent/rustc' }, signal)).toBeNull();
    expect(await askRustcVersion({ ...command, program: script('failing', 'exit 1') }, signal)).toBeNull();
    expect(await askRustcVersion({ ...command, program: script('odd', 'echo hello') }, signal)).toBeNull();
    const program = path.join(script('file', ''), 'rustc');
    expect(await askRustcVersion({ ...command, program }, signal)).toBeNull();
  });

  it('rejects when it is aborted', async () => {
    const controller = new AbortController();
    const program = script('slow', 'sleep 20');
    const asked = askRustcVersion({ ...command, program }, controller.signal);
    controller.abort();
    await expect(asked).rejects.toThrow();
  });
});
