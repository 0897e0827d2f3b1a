import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { inspect } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PublishOptions, RegistryCallOptions, Report, TsregError } from '../../src/index.ts';
import { builtLibrary } from '../helpers/built-library.ts';
import { Publisher } from '../helpers/publishing.ts';
import { scriptedRegistry } from '../helpers/registry-user.ts';
import { type ServedRegistry, serveRegistry } from '../helpers/served-registry.ts';
import { makeTempDir } from '../helpers/temp-dir.ts';

const library = await builtLibrary();
const { owner, planPublish, publish, search, UnfinishedError, whoami, yank } = library;

const temp = makeTempDir('library-registry');
let served: ServedRegistry;
let token = '';
let count = 0;

beforeAll(async () => {
  served = await serveRegistry(path.join(temp.path, 'registry'));
  token = await served.token('alice');
});

afterAll(async () => {
  await served[Symbol.asyncDispose]();
  temp.remove();
});

/** Creates a publisher with a workspace and a registry named `own`. */
function user(index = served.index): {
  readonly publisher: Publisher;
  readonly options: RegistryCallOptions;
} {
  count += 1;
  const publisher = new Publisher(path.join(temp.path, `user-${count}`), index);
  const { workspace: cwd, env } = publisher;
  return { publisher, options: { cwd, env, registry: 'own', token } };
}

function quickly(options: RegistryCallOptions, more: Partial<PublishOptions> = {}): PublishOptions {
  return { ...options, noVerify: true, allowDirty: true, ...more };
}

/** Returns the error that a call was rejected with. */
async function failureOf(call: Promise<unknown>): Promise<TsregError> {
  const outcome = await call.then(
    () => null,
    (error: unknown) => error,
  );
  if (outcome instanceof library.TsregError) return outcome;
  throw new Error('it was no TsregError', { cause: outcome });
}

describe('a crate', () => {
  it('is planned, published, found, yanked and unyanked, and changes owners', async () => {
    const { publisher, options } = user();
    publisher.write([{ name: 'life', needs: ['life-base'] }, { name: 'life-base' }]);
    const all = quickly(options, { workspace: true });

    const plan = await planPublish({ ...all });
    expect(plan.rounds.map((round) => round.map(({ name }) => name))).toEqual([['life-base'], ['life']]);

    const said: string[] = [];
    const bars: unknown[] = [];
    const report: Partial<Report> = {
      status: (verb, text) => void said.push(`${verb} ${text}`),
      warning: (warning) => void said.push(library.formatWarning(warning)),
      progress: (state) => void bars.push(state),
    };
    const published = await publish({ ...all, report });
    expect(published.packages.map(({ name, state }) => `${name} ${state}`)).toEqual([
      'life-base published',
      'life published',
    ]);
    expect(said.filter((line) => line.startsWith('Published'))).toHaveLength(2);
    expect(said.join('\n')).not.toContain('deprecated');
    expect(bars.length).toBeGreaterThan(0);

    const again = await publish({ ...all, skipPublished: true });
    expect(again.packages.map(({ state }) => state)).toEqual(['skipped', 'skipped']);

    const found = await search({ ...options, query: 'life', limit: 100 });
    expect(found.crates.map(({ name }) => name).toSorted()).toEqual(['life', 'life-base']);
    const exact = await search({ ...options, query: 'life_base', exact: true });
    expect(exact.crates).toEqual([{ name: 'life-base', maxVersion: '0.1.0', description: 'd' }]);

    const questions: string[] = [];
    const refused = await failureOf(
      yank({
        ...options,
        crates: ['life', 'life-base'],
        version: '^0.1',
        confirm(question) {
          questions.push(question);
          return false;
        },
      }),
    );
    expect(refused.code).toBe('aborted');
    expect(questions).toEqual(['Do you want to yank 2 versions in registry `own`?']);
    const yanked = await yank({ ...options, crates: ['life@0.1.0', 'life-base@0.1.0'] });
    expect(yanked.versions.map(({ name, version, status }) => [name, version, status])).toEqual([
      ['life', '0.1.0', 'done'],
      ['life-base', '0.1.0', 'done'],
    ]);
    const back = await yank({ ...options, crates: ['life'], version: '0.1.0', undo: true });
    expect(back.action).toBe('unyank');

    await served.token('bob');
    const added = await owner({ ...options, crates: ['life'], add: ['bob'], list: true });
    expect(added.crates[0]?.owners?.map(({ login }) => login)).toEqual(['alice', 'bob']);
    await owner({ ...options, crates: ['life'], remove: ['bob'] });
    const left = await owner({ ...options, crates: ['life'] });
    expect(left.crates[0]?.owners?.map(({ login }) => login)).toEqual(['alice']);
  });

  it('is only checked by a dry run, which needs no token', async () => {
    const { publisher, options } = user();
    publisher.write([{ name: 'dry' }]);
    const { token: _, ...without } = options;
    const { dryRun: isDry, packages } = await publish(quickly(without, { dryRun: true, packages: ['dry'] }));
    expect([isDry, packages.map(({ state }) => state)]).toEqual([true, ['checked']]);
    expect((await search({ ...without, query: 'dry' })).total).toBe(0);
  });
});

describe('concurrent calls', () => {
  it('use their own tokens and folders', async () => {
    const people = await Promise.all(
      ['carol', 'dave', 'erin'].map(async (login) => {
        const { publisher, options } = user();
        publisher.write([{ name: `of-${login}` }]);
        return { login, options: { ...options, token: await served.token(login) } };
      }),
    );
    const answers = await Promise.all(
      people.flatMap(({ login, options }) => [
        publish(quickly(options, { packages: [`of-${login}`] })).then(({ packages }) => packages[0]?.state),
        whoami(options).then((document) => document.user.login),
      ]),
    );
    expect(answers).toEqual(['published', 'carol', 'published', 'dave', 'published', 'erin']);
  });
});

describe('login and logout', () => {
  it('store a token in the CARGO_HOME of the environment and remove it', async () => {
    const { publisher, options } = user();
    const { token: _, ...without } = options;
    mkdirSync(publisher.workspace, { recursive: true });
    expect(await library.login({ ...without, token, check: true })).toMatchObject({ user: 'alice' });
    const file = path.join(publisher.home, 'credentials.toml');
    expect(readFileSync(file, 'utf8')).toContain(token);
    expect((await whoami(without)).user.login).toBe('alice');
    expect((await library.logout(without)).removed).toBe(true);
    expect((await library.logout(without)).removed).toBe(false);
    expect(readFileSync(file, 'utf8')).not.toContain(token);
    expect((await failureOf(whoami(without))).code).toBe('auth');
  });

  it('fail if `login` gets no token', async () => {
    const { options } = user();
    const { token: _, ...without } = options;
    expect(await failureOf(library.login(without))).toMatchObject({
      message: expect.stringContaining('credential provider'),
    });
  });
});

describe('a finished call', () => {
  it('does not keep its report in memory', async () => {
    setFlagsFromString('--expose_gc');
    const collect: () => void = runInNewContext('gc');
    const { signal } = new AbortController();
    const { options } = user();
    /** Returns a weak reference to the report of a call. Anything that the call leaves in memory holds it. */
    const told = async (): Promise<WeakRef<Partial<Report>>> => {
      const report: Partial<Report> = { status: () => {} };
      await search({ ...options, query: 'x', report, signal });
      return new WeakRef(report);
    };
    const reports = [await told(), await told(), await told()];
    const left = (): number => {
      collect();
      return reports.filter((each) => each.deref() !== undefined).length;
    };
    // Connections take a moment to close.
    await expect.poll(left, { timeout: 10_000 }).toBe(0);
  });
});

describe('failures', () => {
  it('have the code `auth` if a token is wrong', async () => {
    const { publisher, options } = user();
    publisher.write([{ name: 'wrong-token' }]);
    const wrong = { ...options, token: 'wrong' };
    const calls = [
      whoami(wrong),
      owner({ ...wrong, crates: ['life'] }),
      yank({ ...wrong, crates: ['life@0.1.0'] }),
      publish(quickly(wrong, { packages: ['wrong-token'] })),
    ];
    const failures = await Promise.all(calls.map(failureOf));
    expect(failures.map(({ code }) => code)).toEqual(['auth', 'auth', 'auth', 'auth']);
  });

  it('contain the results of the call so far', async () => {
    await using scripted = await scriptedRegistry('library-unfinished');
    scripted.answer({
      'DELETE /api/v1/crates/a/1.0.0/yank': { body: '{"ok":true}' },
      'DELETE /api/v1/crates/b/1.0.0/yank': { status: 403, body: '{"errors":[{"detail":"not yours"}]}' },
    });
    const { folder: cwd, env } = scripted.user;
    const failure = await failureOf(
      yank({ cwd, env, registry: 'mock', crates: ['a@1.0.0', 'b@1.0.0', 'c@1.0.0'] }),
    );
    if (!(failure instanceof UnfinishedError)) throw failure;
    const { document }: { readonly document: unknown } = failure;
    expect(document).toMatchObject({
      versions: [
        { name: 'a', status: 'done' },
        { name: 'b', status: 'failed' },
        { name: 'c', status: 'pending' },
      ],
    });
  });

  it('are no UnfinishedError if no request was sent, and suggest `tsreg login`', async () => {
    const { options } = user();
    const { token: _, ...without } = options;
    const calls = [yank({ ...without, crates: ['a@1.0.0'] }), owner({ ...without, crates: ['a'] })];
    for (const failure of await Promise.all(calls.map(failureOf))) {
      expect(failure).not.toBeInstanceOf(UnfinishedError);
      expect(failure.message).toContain('please run `tsreg login --registry own`');
    }
  });

  it.each([
    [200, 'source'],
    [400, 'source'],
    [403, 'auth'],
    [404, 'not-found'],
    [408, 'network'],
    [409, 'source'],
    [429, 'network'],
    [500, 'network'],
  ])('of a registry that responds with %i and a message have the code `%s`', async (status, code) => {
    await using scripted = await scriptedRegistry('library-codes');
    scripted.answer({
      'DELETE /api/v1/crates/a/1.0.0/yank': { status, body: '{"errors":[{"detail":"no"}]}' },
    });
    const { folder: cwd, env } = scripted.user;
    const failure = await failureOf(yank({ cwd, env, registry: 'mock', crates: ['a@1.0.0'] }));
    expect(failure).toMatchObject({ code });
    // The text that Node prints for an uncaught error.
    expect(inspect(failure)).toMatch(/^UnfinishedError /);
    expect(inspect(failure)).toContain(`code: '${code}'`);
  });

  it('come at once if the signal fires during the confirmation', async () => {
    const { options } = user();
    const controller = new AbortController();
    const failure = await failureOf(
      yank({
        ...options,
        crates: ['a@1.0.0', 'b@1.0.0'],
        signal: controller.signal,
        confirm: () => {
          controller.abort();
          return new Promise(() => {});
        },
      }),
    );
    expect(failure.code).toBe('aborted');
    expect(failure).not.toBeInstanceOf(UnfinishedError);
  });

  it.each([
    ['registry and index', { index: 'sparse+http://127.0.0.1:1/' }],
    ['a file and packages', { file: 'a.crate', packages: ['a'] }],
    ['a token and an identity', { trustedPublishing: true }],
    ['time that runs backwards', { waitMs: -1 }],
    ['a folder that is not absolute', { cwd: 'here' }],
  ])('have the code `usage` for %s', async (_, more) => {
    const { options } = user();
    expect((await failureOf(publish(quickly(options, more)))).code).toBe('usage');
  });

  it.each([{ limit: 0 }, { limit: 101 }, { page: 0 }, { page: 1.5 }, { exact: true, page: 2 }])(
    'have the code `usage` for a search with %j',
    async (more) => {
      const { options } = user();
      expect((await failureOf(search({ ...options, query: 'a', ...more }))).code).toBe('usage');
    },
  );
});

describe('an abort', () => {
  it('ends an upload, which the error reports as unknown', async () => {
    await using scripted = await scriptedRegistry('library-abort');
    const { user: somebody, server } = scripted;
    const controller = new AbortController();
    const reason = new Error('enough');
    server.restart(({ method, target }) => {
      if (method === 'PUT') {
        controller.abort(reason);
        return new Promise(() => {});
      }
      if (target !== '/index/config.json') return { status: 404, body: '' };
      return { body: JSON.stringify({ dl: `${server.url}/dl`, api: server.url }) };
    });
    somebody.write({
      'Cargo.toml':
        '[package]\nname = "half"\nversion = "0.1.0"\nedition = "2021"\nlicense = "MIT"\ndescription = "d"\n',
      'src/lib.rs': '',
    });
    const { folder: cwd, env } = somebody;
    const { signal } = controller;
    const failure = await failureOf(publish(quickly({ cwd, env, registry: 'mock', signal })));
    expect(failure).toMatchObject({ code: 'aborted', message: 'interrupted', cause: reason });
    expect(failure).toMatchObject({ document: { packages: [{ name: 'half', state: 'unknown' }] } });
  });

  it('before the start rejects every call', async () => {
    const { publisher, options } = user('sparse+http://127.0.0.1:1/');
    writeFileSync(path.join(publisher.workspace, 'Cargo.toml'), 'not looked at');
    const signal = AbortSignal.abort();
    const calls = [
      publish({ ...options, signal }),
      yank({ ...options, signal, crates: ['a@1.0.0'] }),
      owner({ ...options, signal, crates: ['a'] }),
      search({ ...options, signal, query: 'a' }),
      whoami({ ...options, signal }),
    ];
    const failures = await Promise.all(calls.map(failureOf));
    expect(failures.map(({ code }) => code)).toEqual(['aborted', 'aborted', 'aborted', 'aborted', 'aborted']);
  });
});
