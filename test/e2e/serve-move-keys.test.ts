import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { type RunResult, runProgram, tsregProgram } from '../helpers/program.ts';
import { projectRoot } from '../helpers/project-root.ts';
import { serveRegistry } from '../helpers/served-registry.ts';
import { makeTempDir } from '../helpers/temp-dir.ts';

interface ObjectStore {
  readonly env: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

const { startS3 }: { startS3: (folder: string) => Promise<ObjectStore | null> } = await import(
  path.join(projectRoot, 'scripts', 's3-server.mjs')
);

const temp = makeTempDir('serve-move-keys');
const [old, fresh] = await Promise.all(
  ['old', 'fresh'].map(async (name) => await startS3(path.join(temp.path, name))),
);
const reason = old && fresh ? '' : ' (versitygw is not installed)';
// vitest does not call `afterAll` if all tests are skipped.
if (reason !== '') temp.remove();

afterAll(async () => {
  await Promise.all([old?.stop(), fresh?.stop()]);
  temp.remove();
});

/** Matches the response of the store to unknown keys. */
const UNKNOWN_KEYS = /40[34] .*access key/;

const data = path.join(temp.path, 'data');
const elsewhere = path.join(temp.path, 'elsewhere');

function valueOf(store: ObjectStore | null | undefined, name: string): string {
  return store?.env[name] ?? '';
}

const place = (store: ObjectStore | null | undefined): string => valueOf(store, 'TSREG_TEST_STORAGE');

function keysOf(store: ObjectStore | null | undefined, prefix = ''): Record<string, string> {
  const names = ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'];
  return Object.fromEntries(names.map((name) => [prefix + name, valueOf(store, name)]));
}

/** Runs `tsreg serve` with only the registries and keys of the arguments. Checks that no key is printed. */
async function serve(args: readonly string[], env: Record<string, string> = {}): Promise<RunResult> {
  const result = await runProgram(tsregProgram(), ['serve', ...args], {
    cwd: temp.path,
    env: { PATH: process.env['PATH'] ?? '', HOME: temp.path, ...env },
  });
  for (const secret of [old, fresh].flatMap((store) => Object.values(keysOf(store))))
    expect(result.stdout + result.stderr).not.toContain(secret);
  return result;
}

const move = (
  from: readonly string[],
  to: readonly string[],
  env: Record<string, string>,
): Promise<RunResult> =>
  serve(['move', ...from.flatMap((each) => ['--from', each]), ...to.flatMap((each) => ['--to', each])], env);

/** Starts a server with its files in a store, runs `body` with it and stops it. */
async function served<T>(
  folder: string,
  store: ObjectStore | null | undefined,
  body: (registry: Awaited<ReturnType<typeof serveRegistry>>) => Promise<T>,
): Promise<T> {
  const env = { TSREG_DATABASE: '', TSREG_STORAGE: place(store), ...keysOf(store) };
  await using registry = await serveRegistry(folder, [], tsregProgram(env));
  return await body(registry);
}

const publish = async (folder: string, version: string): Promise<void> =>
  await served(folder, old, async (registry) => {
    const args = ['token', '--user', 'alice', '--data', folder, '--storage', place(old)];
    const { stdout } = await serve(args, keysOf(old));
    await registry.publish({ name: 'mover', version }, stdout.trim());
  });

const download = async (folder: string, store: ObjectStore | null | undefined): Promise<number> =>
  await served(folder, store, async ({ url }) => {
    const answer = await fetch(`${url}/api/v1/crates/mover/1.0.0/download`);
    expect((await answer.arrayBuffer()).byteLength).toBeGreaterThan(0);
    return answer.status;
  });

describe.skipIf(reason !== '')(`a move between two object stores with different keys${reason}`, () => {
  it('moves only the files, and then everything back', async () => {
    await publish(data, '1.0.0');
    const from = keysOf(old, 'TSREG_FROM_');
    const to = keysOf(fresh, 'TSREG_TO_');

    const files = await move([data, place(old)], [data, place(fresh)], { ...from, ...to });
    expect([files.status, files.stdout]).toEqual([0, '']);
    expect(files.stderr).toContain('Moved 1 versions');
    const verified = await serve(['verify', '--data', data, '--storage', place(fresh)], keysOf(fresh));
    expect([verified.status, verified.stdout]).toEqual([0, '']);
    expect(await download(data, fresh)).toBe(200);

    // Variables without a prefix apply to the side that has no variables with its prefix.
    const back = await move([data, place(fresh)], [elsewhere, place(old)], {
      ...keysOf(fresh),
      ...keysOf(old, 'TSREG_TO_'),
    });
    expect([back.status, back.stdout]).toEqual([0, '']);
    expect(await download(elsewhere, old)).toBe(200);
  });

  it('is refused by a store with wrong keys and changes nothing', async () => {
    // A version that the target lacks, because the move reads only missing files from the source.
    await publish(elsewhere, '1.1.0');
    const target = path.join(temp.path, 'never');
    const one = await move([elsewhere, place(old)], [target, place(fresh)], keysOf(old));
    expect([one.status, one.stderr]).toEqual([101, expect.stringMatching(UNKNOWN_KEYS)]);
    expect(one.stderr).toContain(new URL(place(fresh)).searchParams.get('endpoint'));
    const other = await move([elsewhere, place(old)], [target, place(fresh)], {
      ...keysOf(fresh, 'TSREG_FROM_'),
      ...keysOf(fresh, 'TSREG_TO_'),
    });
    expect([other.status, other.stderr]).toEqual([101, expect.stringMatching(UNKNOWN_KEYS)]);
    expect(other.stderr).toContain(new URL(place(old)).searchParams.get('endpoint'));
    expect(await download(elsewhere, old)).toBe(200);
    const user = await serve(['user', 'bob', '--data', elsewhere, '--storage', place(old)], keysOf(old));
    expect([user.status, user.stderr]).toEqual([0, expect.any(String)]);
  });
});
