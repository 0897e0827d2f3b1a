import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { runProgram, type RunResult, tsregProgram } from '../helpers/program.ts';
import { serveRegistry } from '../helpers/served-registry.ts';
import { makeTempDir } from '../helpers/temp-dir.ts';
import { writeTree } from '../helpers/tree.ts';

const temp = makeTempDir('serve-publish-age');
afterAll(() => temp.remove());

it('serves publish times, so that clients can refuse versions that are too new', async () => {
  await using registry = await serveRegistry(path.join(temp.path, 'registry'));
  await registry.publish({ name: 'kettle', version: '1.0.0' }, await registry.token('alice'));
  const cwd = path.join(temp.path, 'ws');
  writeTree(cwd, {
    'Cargo.toml':
      '[package]\nname = "p"\nversion = "0.1.0"\nedition = "2021"\n[dependencies]\nkettle = { version = "1", registry = "own" }\n',
    'src/lib.rs': '',
    '.cargo/config.toml': `[registries.own]\nindex = "${registry.index}"\n`,
  });
  const lock = (env: Readonly<Record<string, string>>): Promise<RunResult> =>
    runProgram(tsregProgram(), ['generate-lockfile'], {
      cwd,
      env: {
        PATH: process.env['PATH'] ?? '',
        HOME: temp.path,
        CARGO_HOME: path.join(temp.path, 'home'),
        ...env,
      },
    });
  const minimum = { CARGO_REGISTRIES_OWN_MIN_PUBLISH_AGE: '7 days' };
  const refused = await lock(minimum);
  expect(refused.status).toBe(101);
  expect(refused.stderr).toMatch(/version 1\.0\.0 is too new \(published .* ago, minimum age 7 days\)/);
  const allowed = await lock({ ...minimum, CARGO_RESOLVER_INCOMPATIBLE_PUBLISH_AGE: 'allow' });
  expect(allowed.status, allowed.stderr).toBe(0);
  expect(allowed.stderr).toMatch(/Adding kettle v1\.0\.0 .*\(published .* ago, minimum age 7 days\)/);
});
