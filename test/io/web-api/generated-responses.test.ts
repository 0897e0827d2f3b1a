import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TsregError } from '../../../src/core/errors/error.ts';
import type { Transport } from '../../../src/io/http/transport.ts';
import { WebApi } from '../../../src/io/web-api/web-api.ts';
import { runProgram, tsregProgram } from '../../helpers/program.ts';
import { recordingContext } from '../../helpers/recording-report.ts';
import {
  type RecordingServer,
  startRecordingServer,
  type WireAnswer,
} from '../../helpers/recording-server.ts';
import { makeTempDir } from '../../helpers/temp-dir.ts';
import { writeTree } from '../../helpers/tree.ts';
import { testTransport } from '../../helpers/test-transport.ts';
import { anyAnswer, type GeneratedAnswer, rightAnswer } from './answer-generator.ts';
import { type Call, isDone, readWire } from './wire-oracle.ts';

const seed = 20_261_121;
const timeoutMs = 400;
/** Far longer than the timeout, because the machine may be busy. */
const longestMs = 20_000;
const token = 'sEcReT-token';

const calls: Record<Call, (api: WebApi, name: string) => Promise<unknown>> = {
  yank: (api, name) => api.yank(name, '1.0.0'),
  unyank: (api, name) => api.unyank(name, '1.0.0'),
  owners: (api, name) => api.listOwners(name),
  add: (api, name) => api.addOwners(name, ['x']),
  remove: (api, name) => api.removeOwners(name, ['x']),
  search: (api, name) => api.search({ text: name, perPage: 10, page: null, sort: null }),
  publish: (api, name) => {
    // oxlint-disable-next-line require-await
    const chunks = async function* (): AsyncGenerator<Uint8Array> {
      yield Buffer.from('abc');
    };
    return api.publish({ metadata: Buffer.from(`{"name":"${name}"}`), archive: { length: 3, chunks } });
  },
};
const callNames = Object.keys(calls) as Call[];

function wireAnswer({ bytes, stalls }: GeneratedAnswer): WireAnswer {
  return { raw: bytes, cut: bytes.length, stalls };
}

describe('responses of any kind', () => {
  let server: RecordingServer;
  let transport: Transport;
  beforeAll(async () => {
    server = await startRecordingServer();
    transport = testTransport({ timeoutMs });
  });
  afterAll(async () => {
    await transport.close();
    await server.close();
  });

  it.each(callNames)('to %s cause no crash, no hang and no false success', async (call) => {
    const answers = fc.sample(anyAnswer, { seed: seed + callNames.indexOf(call), numRuns: 160 });
    const byName = new Map(answers.map((answer, at) => [`n${at}n`, answer]));
    server.restart(({ target, body }) => {
      const name = /n\d+n/.exec(target + body.toString('latin1'))?.[0] ?? '';
      const answer = byName.get(name);
      return answer === undefined ? { status: 500 } : wireAnswer(answer);
    });
    const api = new WebApi({
      ...recordingContext().context,
      transport,
      host: server.url,
      token: { expose: () => token },
      isTokenRequired: true,
      caller: { kind: 'documented', userAgent: 'tsreg/1.0.0' },
      maxWaitMs: null,
    });
    const outcomes = { done: 0, refused: 0 };
    const faults: string[] = [];
    const one = async ([name, answer]: [string, GeneratedAnswer]): Promise<void> => {
      const startedAt = performance.now();
      const fault = (what: string): void => {
        faults.push(`${what}: ${JSON.stringify(answer.bytes.toString('latin1').slice(0, 600))}`);
      };
      try {
        await calls[call](api, name);
        if (!isDone(call, readWire(answer.bytes, answer.stalls))) fault('a success that is none');
        outcomes.done += 1;
      } catch (error) {
        if (!(error instanceof TsregError)) fault(`a crash: ${String(error)}`);
        else if (error.message.includes(token)) fault('the token is shown');
        else if (/[\0-\x08\x0b-\x1f\x7f]/.test(error.message)) fault('control characters are shown');
        outcomes.refused += 1;
      }
      if (performance.now() - startedAt > longestMs) fault('it hangs');
    };
    const left = [...byName];
    const worker = async (): Promise<void> => {
      for (let next = left.pop(); next !== undefined; next = left.pop()) await one(next);
    };
    await Promise.all(Array.from({ length: 8 }, worker));
    expect(faults).toEqual([]);
    expect(server.requests.length).toBe(answers.length);
    // The generator is only useful if it causes both outcomes.
    expect(Math.min(outcomes.done, outcomes.refused)).toBeGreaterThan(10);
  });

  it.each(callNames)('to %s succeed if they are valid', async (call) => {
    server.restart(() => ({
      body: '{"ok":true,"msg":"m","users":[{"id":1,"login":"a"}],"crates":[],"meta":{"total":0}}',
    }));
    const api = new WebApi({
      ...recordingContext().context,
      transport,
      host: server.url,
      token: { expose: () => token },
      isTokenRequired: true,
      caller: { kind: 'documented', userAgent: 'tsreg/1.0.0' },
      maxWaitMs: null,
    });
    await calls[call](api, 'n0n');
  });
});

describe('the program with responses of any kind', () => {
  const temp = makeTempDir('any-answer');
  writeTree(temp.path, {
    'Cargo.toml': '[package]\nname = "foo"\nversion = "1.0.0"\nedition = "2021"\n',
    'src/lib.rs': '',
  });
  afterAll(() => temp.remove());

  const succeeded = new Set<Call>();
  const commands: { readonly call: Call; readonly args: readonly string[] }[] = [
    { call: 'yank', args: ['yank', 'foo@1.0.0'] },
    { call: 'owners', args: ['owner', 'foo', '--list'] },
    { call: 'add', args: ['owner', 'foo', '--add', 'x'] },
    { call: 'search', args: ['search', 'foo'] },
    { call: 'publish', args: ['publish', '--no-verify', '--wait', '0'] },
  ];

  it.each([0, 1, 2, 3])('reports success only if the response confirms it (series %i)', async (series) => {
    await using server = await startRecordingServer();
    const home = path.join(temp.path, `home-${series}`);
    mkdirSync(home);
    const index = `registries.any.index = "sparse+${server.url}/index/"\n`;
    writeFileSync(path.join(home, 'config.toml'), `${index}net.retry = 0\nhttp.timeout = 2\n`);
    const answers = fc.sample(fc.tuple(anyAnswer, fc.nat({ max: 3 })), {
      seed: seed + 100 + series,
      numRuns: 10,
    });
    // A valid response for each command at the end, so that the checks of a success run at least once.
    if (series === 0) for (const _ of commands) answers.push([rightAnswer, 1]);
    for (const [at, [answer, where]] of answers.entries()) {
      const { call, args } = commands[at % commands.length] ?? { call: 'yank', args: [] };
      const isIndex = where === 0;
      const config = JSON.stringify({ dl: `${server.url}/dl`, api: server.url });
      server.restart(({ target }) => {
        if (target.startsWith('/index/') && !target.endsWith('/config.json')) return { status: 404 };
        if (target.startsWith('/index/')) return isIndex ? wireAnswer(answer) : { body: config };
        return isIndex ? { body: 'no JSON' } : wireAnswer(answer);
      });
      const result = await runProgram(tsregProgram(), [...args, '--registry', 'any'], {
        cwd: temp.path,
        env: {
          PATH: process.env['PATH'] ?? '',
          HOME: home,
          CARGO_HOME: home,
          CARGO_REGISTRIES_ANY_TOKEN: token,
        },
        timeoutMs: 45_000,
      });
      const shown = `${args.join(' ')}\n${result.stdout}${result.stderr}\n${JSON.stringify(answer.bytes.toString('latin1').slice(0, 600))}`;
      expect(result.stderr, shown).not.toMatch(/internal error|sEcReT/);
      expect([0, 101], shown).toContain(result.status);
      if (result.status === 0) succeeded.add(call);
      if (result.status === 0)
        expect(!isIndex && isDone(call, readWire(answer.bytes, answer.stalls)), shown).toBe(true);
      else expect(result.stderr, shown).toMatch(/^error: /m);
    }
  });

  it('succeeds at least once with each command', () => {
    expect([...succeeded].sort()).toEqual(commands.map(({ call }) => call).sort());
  });
});
