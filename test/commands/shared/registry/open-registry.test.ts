import { createServer } from 'node:http';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { withTrustedToken } from '../../../../src/commands/publish/trusted.ts';
import {
  type OpenRegistryOptions,
  openRegistry,
} from '../../../../src/commands/shared/registry/open-registry.ts';
import { listen } from '../../../helpers/listen.ts';
import { makeSourceContext } from '../../../helpers/source-context.ts';
import { makeTempDir } from '../../../helpers/temp-dir.ts';

const temp = makeTempDir('open-registry');
let base = '';
let hasApi = true;
let requests: string[] = [];

const server = createServer(({ method = '', url = '' }, response) => {
  requests.push(`${method} ${url}`);
  if (url === '/index/config.json') {
    response.end(JSON.stringify({ dl: `${base}/dl`, ...(hasApi ? { api: base } : {}) }));
  } else response.end(method === 'DELETE' ? '' : JSON.stringify({ token: 'short-lived-token' }));
});
server.keepAliveTimeout = 60_000;

beforeAll(async () => {
  base = `http://127.0.0.1:${await listen(server)}`;
  mkdirSync(path.join(temp.path, 'home'));
});

afterAll(() => {
  server.closeAllConnections();
  server.close();
  temp.remove();
});

function start(): {
  readonly context: ReturnType<typeof makeSourceContext>['context'];
  readonly options: OpenRegistryOptions;
} {
  requests = [];
  const { context } = makeSourceContext({
    cwd: temp.path,
    home: path.join(temp.path, 'home'),
    env: { CARGO_REGISTRY_ID_TOKEN: 'identity-of-the-job' },
  });
  const { config, files, sources, cache, load } = context;
  const access = { locked: false, frozen: false, offline: false, verbosity: 'normal' } as const;
  const choice = { kind: 'index', url: `sparse+${base}/index/` } as const;
  const shared = { files, sources, cache, load };
  return {
    context,
    options: {
      ...{ ...access, config, choice, shared, token: null, isCargo: false, maxWaitMs: null },
      ...{ refreshes: true, needsToken: false },
    },
  };
}

const connections = (): Promise<number> =>
  new Promise((resolve, reject) => {
    server.getConnections((error, count) => (error === null ? resolve(count) : reject(error)));
  });

it('closes its connections if the registry cannot be opened', async () => {
  hasApi = false;
  const { context, options } = start();
  await expect(openRegistry(options, context)).rejects.toThrow('does not support API commands');
  expect(requests).toEqual(['GET /index/config.json']);
  await vi.waitFor(async () => expect(await connections()).toBe(0), 2000);
});

it('revokes a token even if nobody can read that it was given out', async () => {
  hasApi = true;
  const { context, options } = start();
  const registry = await openRegistry(options, context);
  const status = (verb: string): void => {
    if (verb === 'Exchanged') throw new Error('closed');
  };
  const trusted = { ...options, registry, shared: start().options.shared ?? context };
  requests = [];
  const publishing = withTrustedToken(trusted, { ...context, report: { ...context.report, status } }, () =>
    Promise.resolve(),
  );
  await expect(publishing).rejects.toThrow('closed');
  await registry.close();
  expect(requests.map((request) => request.split(' ')[0])).toEqual(['POST', 'DELETE']);
});
