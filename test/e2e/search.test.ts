import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SearchDocument } from '../../src/index.ts';
import {
  type RegistryUser,
  registryUser,
  type ScriptedRegistry,
  scriptedRegistry,
} from '../helpers/registry-user.ts';
import { headerOf } from '../helpers/recording-server.ts';
import { type ServedRegistry, serveRegistry } from '../helpers/served-registry.ts';
import { makeTempDir } from '../helpers/temp-dir.ts';

const mock = ['--registry', 'mock'] as const;
const note = (program: 'tsreg' | 'cargo'): string =>
  `note: to learn more about a package, run \`${program} info <name>\`\n`;
type Found = readonly (readonly [name: string, version: string, description?: string | null])[];
const page = (crates: Found, total: number): { body: string } => ({
  body: JSON.stringify({
    crates: crates.map(([name, max_version, description]) => ({ name, max_version, description })),
    meta: { total },
  }),
});

describe('search with a scripted registry', () => {
  let registry: ScriptedRegistry;
  beforeAll(async () => {
    registry = await scriptedRegistry('search');
  });
  afterAll(async () => {
    await registry[Symbol.asyncDispose]();
  });

  it('shows results like cargo', async () => {
    registry.answer({
      'GET /api/v1/crates?q=x%2By&per_page=2': page(
        [
          ['hoare', '0.1.1', 'a\nb'],
          ['nodesc', '1.0.0'],
        ],
        12,
      ),
    });
    const { status, stdout, stderr } = await registry.user.run(['search', 'x', 'y', '--limit', '2', ...mock]);
    expect(stdout).toBe(
      'hoare = "0.1.1"     # a b\nnodesc = "1.0.0"\n... and 10 crates more (use --limit N to see more)\n',
    );
    expect(stderr).toBe(`    Updating \`mock\` index\n${note('tsreg')}`);
    expect(status).toBe(0);
    const request = registry.server.requests.at(-1) ?? { headers: [] };
    expect(headerOf(request, 'authorization')).toBeNull();
    expect(headerOf(request, 'content-type')).toBe('application/json');
  });

  it('neutralizes GitHub Actions commands in the text of a registry', async () => {
    const query = 'GET /api/v1/crates?q=evil&per_page=10';
    const run = () => registry.user.run(['search', 'evil', ...mock], { GITHUB_ACTIONS: 'true' });
    registry.answer({ [query]: page([['::error::x', '1.0.0', '##[group]']], 1) });
    expect((await run()).stdout).toBe(': :error::x = "1.0.0"    # ## [group]\n');
    registry.answer({ [query]: { status: 404, body: 'a\n  ::add-mask::a\n' } });
    const { status, stderr } = await run();
    const commands = stderr.split('\n').filter((line) => line.trimStart().startsWith('::'));
    expect([status, commands]).toEqual([101, [expect.stringMatching(/^::error title=search::/)]]);
    expect(stderr).toContain('  : :add-mask::a\n');
  });

  it('says that a page after the last one does not exist', async () => {
    registry.answer({ 'GET /api/v1/crates?q=x&per_page=10&page=99': page([], 12) });
    const flags = ['search', 'x', '--page', '99', ...mock];
    const { status, stdout, stderr } = await registry.user.run(flags);
    expect([status, stdout]).toEqual([0, '']);
    expect(stderr).toBe('note: there is no page 99: the registry found 12 crates, 2 pages of 10\n');
    expect((await registry.user.run(flags, { TSREG_COMPAT: 'cargo' })).stderr).toBe(note('cargo'));
  });

  it('refuses page 0, but not in compatibility mode', async () => {
    registry.answer({ 'GET /api/v1/crates?q=x&per_page=10&page=1': page([['x', '1.0.0']], 1) });
    const flags = ['search', 'x', '--page', '0', ...mock];
    const { status, stdout, stderr } = await registry.user.run(flags);
    expect([status, stdout, stderr]).toEqual([101, '', 'error: invalid value: `--page` must be 1 or more\n']);
    expect((await registry.user.run(flags, { TSREG_COMPAT: 'cargo' })).status).toBe(0);
  });

  it.each([
    [[], '', 'the registry returned no crates'],
    [['no', 'such'], 'no%2Bsuch', 'no crates match `no such`'],
    [['nosuch', '--exact'], 'nosuch', 'no crate is named `nosuch`'],
  ])(
    'says on stderr that nothing was found with %j, but not in compatibility mode',
    async (args, q, text) => {
      const nothing = page([], 0);
      registry.answer({
        [`GET /api/v1/crates?q=${q}&per_page=10`]: nothing,
        [`GET /api/v1/crates?q=${q}&per_page=100&page=1`]: nothing,
      });
      const run = (...more: string[]) => registry.user.run(['search', ...args, ...more, ...mock]);
      const { status, stdout, stderr } = await run();
      expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: '', stderr: `note: ${text}\n` });
      expect((await run('--quiet')).stderr).toBe('');
      const json = await run('--json');
      expect([JSON.parse(json.stdout), json.stderr]).toEqual([expect.objectContaining({ crates: [] }), '']);
      const asCargo = await registry.user.run(['search', ...args, ...mock], { TSREG_COMPAT: 'cargo' });
      expect([asCargo.status, asCargo.stdout, asCargo.stderr]).toEqual([0, '', '']);
    },
  );

  it.each(['x', '4294967296', ''])(
    'refuses the limit %j, with a line break only outside compatibility mode',
    async (limit) => {
      const args = ['search', 'a', '--limit', limit, ...mock];
      const refused = `error: invalid value: could not parse \`${limit}\` as a number`;
      const asCargo = await registry.user.run(args, { TSREG_COMPAT: 'cargo' });
      expect([asCargo.status, asCargo.stderr]).toEqual([1, refused]);
      const own = await registry.user.run(args);
      expect([own.status, own.stderr]).toEqual([101, `${refused}\n`]);
    },
  );

  it('reports why a search failed', async () => {
    registry.answer({ 'GET /api/v1/crates?q=x&per_page=10': { status: 500, body: 'broken' } });
    const { status, stderr } = await registry.user.run(['search', 'x', ...mock]);
    expect(stderr).toContain(
      `error: failed to retrieve search results from the registry at ${registry.server.url}\n\nCaused by:\n` +
        '  failed to get a 200 OK response, got 500\n',
    );
    expect(status).toBe(101);
  });

  it('reads all pages with --all', async () => {
    const names = Array.from({ length: 130 }, (_, at): [string, string] => [`c${at}`, '1.0.0']);
    registry.answer({
      'GET /api/v1/crates?q=c&per_page=100&page=1': page(names.slice(0, 100), 130),
      'GET /api/v1/crates?q=c&per_page=100&page=2': page(names.slice(100), 130),
    });
    const { stdout } = await registry.user.run(['search', 'c', '--all', '--json', ...mock]);
    const document: SearchDocument = JSON.parse(stdout);
    expect(document.crates.map(({ name }) => name)).toEqual(names.map(([name]) => name));
    expect(registry.calls()).toHaveLength(2);
  });

  it('stops with a registry that ignores pages', async () => {
    const same = page(
      [
        ['a', '1.0.0'],
        ['b', '1.0.0'],
      ],
      500,
    );
    registry.answer(
      Object.fromEntries([1, 2, 3].map((at) => [`GET /api/v1/crates?q=z&per_page=100&page=${at}`, same])),
    );
    const { status, stdout } = await registry.user.run(['search', 'z', '--all', ...mock]);
    expect(stdout).toBe('a = "1.0.0"\nb = "1.0.0"\n');
    expect(status).toBe(0);
    expect(registry.calls()).toHaveLength(2);
  });

  it('finds one crate by its exact name on any page', async () => {
    const others = Array.from({ length: 100 }, (_, at): [string, string] => [`foo-bar-${at}`, '1.0.0']);
    registry.answer({
      'GET /api/v1/crates?q=foo%5Fbar&per_page=100&page=1': page(others, 102),
      'GET /api/v1/crates?q=foo%5Fbar&per_page=100&page=2': page(
        [
          ['foo-bar', '2.0.0', 'It'],
          ['q', '1.0.0'],
        ],
        102,
      ),
    });
    const { stdout } = await registry.user.run(['search', 'foo_bar', '--exact', ...mock]);
    expect(stdout).toBe('foo-bar = "2.0.0"    # It\n');
    const { stdout: json } = await registry.user.run(['search', 'foo_bar', '--exact', '--json', ...mock]);
    expect(JSON.parse(json)).toEqual({
      version: 1,
      registry: { name: 'mock', index: `sparse+${registry.server.url}/index/`, api: registry.server.url },
      query: 'foo_bar',
      total: 1,
      crates: [{ name: 'foo-bar', max_version: '2.0.0', description: 'It' }],
    });
  });
});

describe('search with a registry of `tsreg serve`', () => {
  const temp = makeTempDir('search-served');
  let registry: ServedRegistry;
  let user: RegistryUser;
  beforeAll(async () => {
    registry = await serveRegistry(temp.path);
    const authorization = await registry.token('alice');
    user = registryUser('search-user', registry.index, authorization);
    for (const name of ['tide', 'tide-pool', 'tide-chart', 'moon']) {
      const description = `About ${name}`;
      await registry.publish({ name, version: '1.0.0' }, authorization, { description });
    }
  });
  afterAll(async () => {
    user[Symbol.dispose]();
    await registry[Symbol.asyncDispose]();
    temp.remove();
  });

  it('finds crates', async () => {
    const { status, stdout } = await user.run(['search', 'moon', ...mock]);
    expect(stdout).toBe('moon = "1.0.0"    # About moon\n');
    expect(status).toBe(0);
  });

  it('sorts and paginates results', async () => {
    const pages = ['1', '2'].map((at) => ['--limit', '2', '--page', at]);
    const texts: string[] = [];
    for (const flags of pages) {
      texts.push((await user.run(['search', 'tide', '--sort', 'alpha', ...flags, ...mock])).stdout);
    }
    expect(texts).toEqual([
      'tide = "1.0.0"          # About tide\ntide-chart = "1.0.0"    # About tide-chart\n' +
        '... and 1 crates more (use --page 2 to see more)\n',
      'tide-pool = "1.0.0"    # About tide-pool\n',
    ]);
    const { stderr } = await user.run(['search', 'tide', '--sort', 'size', ...mock]);
    expect(stderr).toContain("invalid value 'size' for '--sort <ORDER>'");
  });

  it('finds only the exact name with --exact', async () => {
    const { stdout } = await user.run(['search', 'tide', '--exact', ...mock]);
    expect(stdout).toBe('tide = "1.0.0"    # About tide\n');
    expect((await user.run(['search', 'tid', '--exact', ...mock])).stdout).toBe('');
  });
});
