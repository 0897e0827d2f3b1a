import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { askCredentialProcess } from '../../../src/io/credentials/credential-process.ts';
import { describeErrno } from '../../../src/core/errors/os-error-text.ts';
import { GET, providerContext, requestOf } from '../../helpers/provider-request.ts';
import { onWindows } from '../../helpers/system.ts';
import { makeTempDir } from '../../helpers/temp-dir.ts';

const temp = makeTempDir('credential-process');
afterAll(() => temp.remove());

const HELLO = '{"v":[1]}\\n';
const ANSWER = '{"Ok":{"kind":"get","token":"t\\303\\251","cache":"never","operation_independent":true}}\\n';

/** Runs a provider that prints `hello` and `answer`, both printf formats, and then runs `more`. */
function ask(hello: string, answer: string, more = ''): ReturnType<typeof askCredentialProcess> {
  const program = path.join(temp.path, 'provider.sh');
  writeFileSync(program, `#!/bin/sh\nprintf '${hello}'\nread -r request\nprintf '${answer}'\n${more}\n`);
  chmodSync(program, 0o755);
  const env = { PATH: process.env['PATH'] ?? '' };
  return askCredentialProcess(program, requestOf(GET), providerContext(env, temp.path));
}

test('a provider that cannot be started causes the error of a missing one', async () => {
  const file = path.join(temp.path, 'text.cmd');
  writeFileSync(file, 'text');
  const context = providerContext({ PATH: process.env['PATH'] ?? '' }, temp.path);
  // A path below a file, a file that cannot be executed, and an empty path.
  for (const program of [path.join(file, 'provider'), file, '']) {
    await expect(askCredentialProcess(program, requestOf(GET), context)).rejects.toMatchObject({
      message: 'failed to spawn credential process',
      code: 'auth',
    });
  }
});

test('a provider with an empty path causes ENOENT', async () => {
  await expect(
    askCredentialProcess('', requestOf(GET), providerContext({}, temp.path)),
  ).rejects.toMatchObject({
    cause: { message: describeErrno('ENOENT') },
  });
});

test.skipIf(onWindows)(
  'lines of a provider must be UTF-8 (not on Windows: the provider is a shell script)',
  async () => {
    const answer = await ask(HELLO, ANSWER);
    expect(answer.kind === 'get' && answer.token.expose()).toBe('té');
    await expect(ask('{"v":[1],"x":"\\377"}\\n', ANSWER)).rejects.toMatchObject({
      message: 'failed to read hello from credential provider',
      cause: { message: 'stream did not contain valid UTF-8' },
    });
    await expect(ask(HELLO, ANSWER.replace('251', '477'))).rejects.toMatchObject({
      message: 'failed to read response from credential provider',
    });
  },
);

test.skipIf(onWindows)(
  'the call returns when the provider exits, even if a child still runs (not on Windows: a shell script)',
  async () => {
    const more = 'sleep 0.1; echo more; sleep 20 2>/dev/null & exit 0';
    const started = performance.now();
    const answer = await ask(HELLO, ANSWER, more);
    expect(answer.kind).toBe('get');
    expect(performance.now() - started).toBeLessThan(15_000);
  },
);

test.skipIf(onWindows)(
  'a hung provider is stopped by an abort, whose reason is the error (not on Windows: a shell script)',
  async () => {
    const program = path.join(temp.path, 'hung.sh');
    const started = path.join(temp.path, 'pid');
    writeFileSync(
      program,
      `#!/bin/sh\nprintf '${HELLO}'\necho $$ > '${started}.new'\nmv '${started}.new' '${started}'\nexec sleep 60\n`,
    );
    chmodSync(program, 0o755);
    const controller = new AbortController();
    const context = providerContext({ PATH: process.env['PATH'] ?? '' }, temp.path);
    const asking = askCredentialProcess(program, requestOf(GET), { ...context, signal: controller.signal });
    const refused = expect(asking).rejects.toThrow('enough');
    await vi.waitFor(() => expect(existsSync(started)).toBe(true), 10_000);
    controller.abort(new Error('enough'));
    await refused;
    expect(() => process.kill(Number(readFileSync(started, 'utf8')), 0)).toThrow('ESRCH');
  },
);
