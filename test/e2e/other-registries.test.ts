import { describe, expect, it } from 'vitest';
import type { SearchDocument, YankDocument } from '../../src/index.ts';
import type { CrateDecl } from '../helpers/crate.ts';
import { tsregProgram, type RunResult } from '../helpers/program.ts';
import { cargoHttpRegistry } from '../io/web-api/imitations/cargo-http-registry.ts';
import { cratery } from '../io/web-api/imitations/cratery.ts';
import { gitea } from '../io/web-api/imitations/gitea.ts';
import { ImitatedRegistry } from '../io/web-api/imitations/imitated-registry.ts';
import type { Imitation } from '../io/web-api/imitations/imitation.ts';
import { kellnr } from '../io/web-api/imitations/kellnr.ts';
import { ktra } from '../io/web-api/imitations/ktra.ts';
import { margo } from '../io/web-api/imitations/margo.ts';

const program = tsregProgram();
const noApi = /error: registry `peer` does not support API commands/;
const notAllowed = /got 405\n/;
const done = { status: 0 } as const;

/** The expected exit status of a run, and texts that it must or must not print. */
interface Wanted {
  readonly status: number;
  readonly stdout?: RegExp | string;
  readonly stderr?: RegExp;
  readonly never?: RegExp;
}

/** The expected results of every operation on one registry. */
interface Column {
  readonly start: () => Imitation;
  readonly publish: Wanted;
  readonly yank: Wanted;
  /** Whether new lock files cannot use a yanked version. */
  readonly hidesYanked: boolean;
  readonly yankUnknown: Wanted;
  readonly owners: Wanted;
  readonly ownersOfNothing: Wanted;
  readonly addOwner: Wanted;
  readonly removeOwner: Wanted;
  readonly search: Wanted;
  readonly searchOne: Wanted;
  readonly wrongToken: Wanted;
  readonly noToken: Wanted;
  /** Publishes an existing version that the index does not show yet. */
  readonly publishAgain: Wanted;
  readonly publishSimilar: Wanted;
  readonly login: Wanted;
}

const refused = (text: RegExp): Wanted => ({ status: 101, stderr: text, never: /Uploaded|Published/ });
const published: Wanted = {
  status: 0,
  stderr: /Uploaded new-crate v0\.2\.0[^]*Published new-crate v0\.2\.0/,
};
const asksAt = (place: RegExp): Wanted => ({ status: 0, stderr: place });

const columns: readonly Column[] = [
  {
    start: cargoHttpRegistry,
    publish: published,
    yank: refused(notAllowed),
    hidesYanked: true,
    yankUnknown: refused(notAllowed),
    owners: refused(notAllowed),
    ownersOfNothing: refused(notAllowed),
    addOwner: refused(notAllowed),
    removeOwner: refused(notAllowed),
    search: refused(notAllowed),
    searchOne: refused(notAllowed),
    // This registry checks no tokens.
    wrongToken: refused(notAllowed),
    noToken: refused(/no token found for `peer`/),
    publishAgain: refused(/responded with an error: crate version 0\.2\.0 is already published/),
    publishSimilar: done,
    login: asksAt(/the token found on http:\S+\/me below/),
  },
  {
    start: gitea,
    publish: published,
    yank: { status: 0, stderr: /Yank demo-a@0\.1\.0/ },
    hidesYanked: true,
    yankUnknown: refused(/status 404 Not Found\): package does not exist/),
    owners: { status: 0, stdout: 'namespace (The Name Space)\n' },
    ownersOfNothing: { status: 0, stdout: 'namespace (The Name Space)\n' },
    addOwner: refused(notAllowed),
    removeOwner: refused(notAllowed),
    search: { status: 0, stdout: /^demo-a = "0\.1\.0" +# All about demo-a\ndemo-b = / },
    searchOne: { status: 0, stdout: /^demo-a = .*\n\.\.\. and 1 crates more/ },
    wrongToken: refused(
      /got 401\n[^]*body:\n {2}authGroup\.Verify\n+help: [^]*; if the registry requires a scheme, the token is `Bearer TOKEN`\n$/,
    ),
    noToken: refused(/no token found for `peer`/),
    publishAgain: refused(/status 409 Conflict\): package already exists/),
    publishSimilar: done,
    // This registry has no page for tokens.
    login: asksAt(/please paste the token for peer below/),
  },
  {
    start: cratery,
    publish: published,
    yank: { status: 0, stderr: /Yank demo-a@0\.1\.0/ },
    hidesYanked: false,
    yankUnknown: refused(/got 400\n[^]*"details":"Version does not exist"/),
    owners: { status: 0, stdout: 'alice (Admin <alice>)\n' },
    ownersOfNothing: refused(/got 404\n/),
    addOwner: refused(/got 404\n[^]*no such e-mail/),
    removeOwner: refused(/got 404\n[^]*no such e-mail/),
    search: { status: 0, stdout: /^demo-a = .*\ndemo-b = / },
    // This registry ignores the limit.
    searchOne: {
      status: 0,
      stdout: /^demo-a = .*\n\.\.\. and 1 crates more \(use --limit N to see more\)\n$/,
    },
    wrongToken: refused(/token rejected for `peer`[^]*help: .* the token is `Basic TOKEN`\n$/),
    noToken: refused(/no token found for `peer`/),
    publishAgain: refused(/got 400\n[^]*already exists in version 0\.2\.0/),
    publishSimilar: done,
    login: asksAt(/please paste the token for peer below/),
  },
  {
    start: ktra,
    publish: published,
    yank: { status: 0, stderr: /Yank demo-a@0\.1\.0/ },
    hidesYanked: true,
    yankUnknown: refused(/status 404 Not Found\): version '9\.9\.9' is not found/),
    owners: { status: 0, stdout: 'ktra-secure-auth:alice (alice)\n' },
    ownersOfNothing: refused(/status 404 Not Found\): crate 'nothing' is not found/),
    addOwner: { status: 0, stderr: /Owner the owners are updated/ },
    removeOwner: { status: 0, stderr: /Owner removing \["alice"\] from crate demo-a/ },
    search: { status: 0, stdout: /^demo-a = .*\ndemo-b = / },
    searchOne: { status: 0, stdout: /^demo-a = .*\n\.\.\. and 1 crates more/ },
    wrongToken: refused(/status 403 Forbidden\): the provided token is not valid/),
    noToken: refused(/no token found for `peer`/),
    publishAgain: refused(
      /responded with an error: the version '0\.2\.0' of 'new-crate' is already published/,
    ),
    publishSimilar: refused(/responded with an error: a crate with a similar name to 'demo_a' exists/),
    login: asksAt(/the token found on http:\S+\/me below/),
  },
  {
    start: kellnr,
    publish: published,
    yank: { status: 0, stderr: /Yank demo-a@0\.1\.0/ },
    hidesYanked: true,
    yankUnknown: refused(/status 500 Internal Server Error\): ERROR: Database error/),
    owners: { status: 0, stdout: 'alice\n' },
    ownersOfNothing: refused(/status 404 Not Found\): ERROR: Crate not found: nothing/),
    addOwner: { status: 0, stderr: /Owner Users have been changed\./ },
    removeOwner: { status: 0, stderr: /Owner removing \["alice"\] from crate demo-a/ },
    search: { status: 0, stdout: /^demo-a = .*\ndemo-b = / },
    searchOne: { status: 0, stdout: /^demo-a = .*\n\.\.\. and 1 crates more/ },
    wrongToken: refused(/token rejected for `peer`/),
    noToken: refused(/no token found for `peer`/),
    publishAgain: refused(
      /status 400 Bad Request\): ERROR: Crate with version already exists: new-crate-0\.2\.0/,
    ),
    publishSimilar: refused(/status 400 Bad Request\): ERROR: Crate name differs only/),
    login: asksAt(/please paste the token for peer below/),
  },
  {
    start: margo,
    publish: refused(noApi),
    yank: refused(noApi),
    hidesYanked: true,
    yankUnknown: refused(noApi),
    owners: refused(noApi),
    ownersOfNothing: refused(noApi),
    addOwner: refused(noApi),
    removeOwner: refused(noApi),
    search: refused(noApi),
    searchOne: refused(noApi),
    wrongToken: refused(noApi),
    noToken: refused(noApi),
    publishAgain: refused(noApi),
    publishSimilar: refused(noApi),
    login: refused(noApi),
  },
];

const seeded: readonly CrateDecl[] = [
  {
    name: 'demo-a',
    version: '0.1.0',
    features: { default: ['std'], std: [], more: ['dep:helper', 'helper?/x'] },
    deps: [
      { name: 'helper', req: '^0.1', optional: true },
      { name: 'tester', req: '^1', kind: 'dev' },
    ],
  },
  { name: 'demo-b', version: '1.0.0' },
  { name: 'helper', version: '0.1.5', features: { x: [] } },
];

const user = {
  'w/Cargo.toml':
    '[package]\nname = "user"\nversion = "0.1.0"\nedition = "2021"\n[dependencies]\ndemo-a = { version = "0.1", registry = "peer", features = ["more"] }\n',
  'w/src/lib.rs': '',
} as const;

function packageOf(name: string, version: string): Record<string, string> {
  const head = `[package]\nname = "${name}"\nversion = "${version}"\nedition = "2021"\n`;
  return {
    'w/Cargo.toml': `${head}description = "d"\nlicense = "MIT"\n[dependencies]\ndemo-b = { version = "1", registry = "peer" }\n`,
    'w/src/lib.rs': '',
  };
}

function expectRun(result: RunResult, wanted: Wanted): void {
  const shown = `${result.stdout}\n${result.stderr}`;
  expect(shown).not.toMatch(/internal error|TypeError|\bundefined\b/);
  expect(result.status, shown).toBe(wanted.status);
  if (typeof wanted.stdout === 'string') expect(result.stdout).toBe(wanted.stdout);
  else if (wanted.stdout !== undefined) expect(result.stdout).toMatch(wanted.stdout);
  if (wanted.stderr !== undefined) expect(result.stderr).toMatch(wanted.stderr);
  if (wanted.never !== undefined) expect(shown).not.toMatch(wanted.never);
  if (wanted.status !== 0) expect(result.stderr).toMatch(/^error: /m);
}

const to = ['--registry', 'peer'] as const;
const publishing = ['publish', '--no-verify', ...to] as const;

describe.concurrent.each(columns.map((column) => ({ name: column.start().name, column })))(
  'a registry like $name',
  ({ column }) => {
    const start = (crates = seeded): Promise<ImitatedRegistry> =>
      ImitatedRegistry.start(column.start(), crates, program);

    /** Declares a test of one run against a registry with the seeded crates. */
    const cell = (title: string, args: readonly string[], wanted: Wanted, token?: string | null): void => {
      it(title, async () => {
        await using registry = await start();
        expectRun(await registry.run(args, token === undefined ? {} : { token }), wanted);
      });
    };

    it('provides its index, features and archives', async () => {
      await using registry = await start();
      registry.write(user);
      const result = await registry.run(['metadata', '--format-version', '1']);
      expectRun(result, done);
      const { packages } = JSON.parse(result.stdout) as {
        packages: { name: string; features: Record<string, string[]> }[];
      };
      expect(packages.map(({ name }) => name).sort()).toEqual(['demo-a', 'helper', 'user']);
      expect(packages.find(({ name }) => name === 'demo-a')?.features['more']).toEqual([
        'dep:helper',
        'helper?/x',
      ]);
      expectRun(await registry.run(['fetch', '--locked']), done);
    });

    it('stores a published crate if it has a web API', async () => {
      await using registry = await start();
      registry.write(packageOf('new-crate', '0.2.0'));
      const result = await registry.run(publishing);
      expectRun(result, column.publish);
      // A git index is fetched once. A sparse index is queried again for the dependencies of the package.
      const updates = column.publish.status === 0 && registry.imitation.index === 'sparse' ? 2 : 1;
      expect(result.stderr.match(/Updating `peer` index\n/g)).toHaveLength(updates);
      const kept = registry.imitation.crates.find('new-crate', '0.2.0');
      expect(kept !== undefined).toBe(column.publish.status === 0);
    });

    it('yanks and unyanks a version', async () => {
      await using registry = await start();
      registry.write(user);
      expectRun(await registry.run(['generate-lockfile']), done);
      expectRun(await registry.run(['yank', 'demo-a@0.1.0', ...to]), column.yank);
      if (column.yank.status !== 0) return;
      registry.write({ 'w/Cargo.lock': '' });
      const { status } = await registry.run(['generate-lockfile']);
      expect(status).toBe(column.hidesYanked ? 101 : 0);
      expectRun(await registry.run(['yank', '--undo', 'demo-a@0.1.0', ...to]), done);
      expectRun(await registry.run(['generate-lockfile']), done);
    });

    cell('yanks no version that it does not have', ['yank', 'demo-a@9.9.9', ...to], column.yankUnknown);
    cell('lists owners', ['owner', '--list', 'demo-a', ...to], column.owners);
    cell('lists owners of nothing', ['owner', '--list', 'nothing', ...to], column.ownersOfNothing);
    cell('adds an owner', ['owner', '--add', 'bob', 'demo-a', ...to], column.addOwner);
    cell('removes an owner', ['owner', '--remove', 'alice', 'demo-a', ...to], column.removeOwner);
    cell('searches', ['search', 'demo', ...to], column.search);
    cell('searches for one', ['search', '--limit', '1', 'demo', ...to], column.searchOne);
    cell('refuses a wrong token', ['yank', 'demo-a@0.1.0', ...to], column.wrongToken, 'wrong');
    cell('refuses who has no token', ['yank', 'demo-a@0.1.0', ...to], column.noToken, null);

    it('refuses to publish a version twice', async () => {
      await using registry = await start([...seeded, { name: 'new-crate', version: '0.2.0', yanked: true }]);
      registry.write(packageOf('new-crate', '0.2.0'));
      expectRun(await registry.run(publishing), column.publishAgain);
    });

    it('gets no upload of a version that differs only in build metadata', async () => {
      await using registry = await start([...seeded, { name: 'new-crate', version: '0.2.0' }]);
      registry.write(packageOf('new-crate', '0.2.0+build'));
      const wanted = column.publish.status === 0 ? /new-crate@0\.2\.0\+build already exists on/ : noApi;
      expectRun(await registry.run(publishing), refused(wanted));
      expect(registry.server.requests.some(({ method }) => method === 'PUT')).toBe(false);
    });

    it('accepts or refuses a crate with a similar name', async () => {
      await using registry = await start();
      registry.write(packageOf('demo_a', '0.2.0'));
      expectRun(await registry.run(publishing), column.publishSimilar);
    });

    it('gets no request for an invalid version', async () => {
      await using registry = await start();
      registry.write(packageOf('new-crate', '1.0'));
      expectRun(
        await registry.run(publishing),
        refused(/unexpected end of input while parsing minor version number/),
      );
      expect(registry.server.requests).toEqual([]);
    });

    it('gets no upload of an invalid archive', async () => {
      await using registry = await start();
      registry.write({ 'w/new-crate-0.2.0.crate': 'no archive at all' });
      const result = await registry.run(['publish', 'new-crate-0.2.0.crate', ...to]);
      expectRun(result, refused(/^error: /m));
      expect(registry.server.requests.some(({ method }) => method === 'PUT')).toBe(false);
    });

    it('tells where to get a token and accepts it', async () => {
      await using registry = await start();
      const result = await registry.run(['login', ...to], { token: null, input: '' });
      if (column.login.status !== 0) return expectRun(result, column.login);
      expect(result.status).toBe(101);
      expect(result.stderr).toMatch(column.login.stderr ?? /./);
      expectRun(
        await registry.run(['login', ...to], { token: null, input: `${registry.imitation.token}\n` }),
        {
          status: 0,
          stderr: /Login token for `peer` saved/,
        },
      );
      if (column.yank.status !== 0) return;
      expectRun(await registry.run(['yank', 'demo-a@0.1.0', ...to], { token: null }), column.yank);
    });
  },
);

describe('a refused change of owners', () => {
  it('with status 401 is blamed on an unknown owner or the token', async () => {
    const imitation = cratery();
    const answer = imitation.answer.bind(imitation);
    const isChange = /^(PUT|DELETE) .*\/owners$/;
    imitation.answer = (request, url) =>
      isChange.test(`${request.method} ${request.target}`)
        ? { status: 401, body: '{"http":401,"message":"User is not authenticated","details":null}' }
        : answer(request, url);
    await using registry = await ImitatedRegistry.start(imitation, seeded, program);
    const { status, stderr } = await registry.run(['owner', '--add', 'b@example.org', 'demo-a', ...to]);
    expect(status).toBe(101);
    expect(stderr).toMatch(
      /help: the registry does not know one of the named owners, or the refused token came from environment variable `CARGO_REGISTRIES_PEER_TOKEN`/,
    );
  });
});

describe('a version range in a registry whose index does not show yanked versions', () => {
  const versions = ['0.1.0', '0.2.0', '0.3.0'].map((version) => ({ name: 'demo-a', version }));
  const yankAll = ['yank', 'demo-a@<1', '--yes', '--json', ...to] as const;
  const statusesOf = ({ stdout }: RunResult): readonly string[] => {
    const document: YankDocument = JSON.parse(stdout);
    return document.versions.map(({ version, status }) => `${version} ${status}`);
  };

  it('is yanked and unyanked according to the responses of the registry', async () => {
    await using registry = await ImitatedRegistry.start(cratery(), versions, program);
    const yanked = await registry.run(yankAll);
    expect([yanked.status, statusesOf(yanked)]).toEqual([0, ['0.1.0 done', '0.2.0 done', '0.3.0 done']]);
    const unyanked = await registry.run([...yankAll, '--undo']);
    expect(unyanked.stderr).toContain(
      'note: the index shows no yanked version of `demo-a`: the registry is asked to unyank each that matches\n',
    );
    expect([unyanked.status, statusesOf(unyanked)]).toEqual([0, ['0.1.0 done', '0.2.0 done', '0.3.0 done']]);
    expect(registry.imitation.crates.versions.map(({ isYanked }) => isYanked)).toEqual([false, false, false]);
  });

  it('is yanked to its end even if some versions are already yanked', async () => {
    await using registry = await ImitatedRegistry.start(cratery(), versions, program);
    expectRun(await registry.run(['yank', 'demo-a@0.1.0', ...to]), done);
    const one = await registry.run(yankAll);
    expect([one.status, statusesOf(one)]).toEqual([101, ['0.1.0 failed', '0.2.0 done', '0.3.0 done']]);
    expect(one.stderr).toMatch(
      /^error: failed to yank demo-a@0\.1\.0 from the registry at \S+\n\nCaused by:\n {2}.*got 400\n/m,
    );
    expect(one.stderr).toContain('Version is already yanked');
    const all = await registry.run(yankAll);
    expect(statusesOf(all)).toEqual(['0.1.0 failed', '0.2.0 failed', '0.3.0 failed']);
    const why = 'failed to get a 200 OK response, got 400';
    expect(all.stderr).toContain(
      `error: failed to yank 3 versions in the registry at ${registry.server.url}:\n` +
        `  demo-a@0.1.0: ${why}\n  demo-a@0.2.0: ${why}\n  demo-a@0.3.0: ${why}\n`,
    );
  });

  it('is abandoned if the registry refuses the token', async () => {
    await using registry = await ImitatedRegistry.start(gitea(), versions, program);
    const refusal = await registry.run(yankAll, { token: 'wrong' });
    expect([refusal.status, statusesOf(refusal)]).toEqual([
      101,
      ['0.1.0 failed', '0.2.0 pending', '0.3.0 pending'],
    ]);
  });
});

describe('search pages', () => {
  const crates = ['a', 'b', 'c', 'd', 'e'].map((end) => ({ name: `demo-${end}`, version: '1.0.0' }));

  it.each([
    ['ignores them', gitea, 4],
    ['ignores the number of results as well', cratery, 5],
  ])('are cut out of one response of a registry that %s', async (_, start, count) => {
    await using registry = await ImitatedRegistry.start(start(), crates, program);
    const search = ['search', 'demo', '--limit', '2', ...to] as const;
    const second = await registry.run([...search, '--page', '2']);
    expect(second.stdout).toMatch(
      /^demo-c = .*\ndemo-d = .*\n\.\.\. and 1 crates more \(use --page 3 to see more\)\n$/,
    );
    expect(second.stderr).toContain(
      `warning: registry \`peer\` does not support pages: page 2 is taken from the ${count} results that it returned\n`,
    );
    expect((await registry.run([...search, '--page', '3'])).stdout).toMatch(/^demo-e = .*\n$/);
    const behind = await registry.run([...search, '--page', '4', '--json']);
    const document: SearchDocument = JSON.parse(behind.stdout);
    expect([behind.status, document.total, document.crates]).toEqual([0, 5, []]);
  });

  it('cause a warning with `--all` if the registry returns only its first results', async () => {
    const imitation = gitea();
    const answer = imitation.answer.bind(imitation);
    imitation.answer = (request, url) => {
      const target = request.target.replace(/per_page=\d+/, 'per_page=3');
      return answer({ ...request, target }, url);
    };
    await using registry = await ImitatedRegistry.start(imitation, crates, program);
    const { stdout, stderr } = await registry.run(['search', 'demo', '--all', ...to]);
    expect(stdout.match(/^demo-/gm)).toHaveLength(3);
    expect(stderr).toContain(
      'warning: only the first 3 of 5 crates were found: the registry does not support pages\n',
    );
  });
});
