import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { verifyStore } from '../../src/server/admin/verify-store.ts';
import { makeTempDir, type TempDir } from '../helpers/temp-dir.ts';
import { openTestRegistry } from '../helpers/test-registry.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');

let temp: TempDir;
let folder: string;
beforeEach(async () => {
  temp = makeTempDir('processes');
  folder = path.join(temp.path, 'data');
});
afterEach(() => temp.remove());

/** A publishing process and its output so far. */
interface Publisher {
  readonly child: ChildProcess;
  readonly name: string;
  readonly lines: string[];
  readonly closed: Promise<unknown>;
}

async function startPublisher(label: string, count: number, name = `crate-${label}`): Promise<Publisher> {
  const args = [
    'scripts/run-ts.mjs',
    'test/helpers/publishing-process.ts',
    folder,
    label,
    String(count),
    name,
  ];
  const child = spawn(process.execPath, args, { cwd: ROOT, stdio: ['pipe', 'pipe', 'inherit'] });
  const publisher: Publisher = { child, name, lines: [], closed: once(child, 'close') };
  let rest = '';
  const ready = new Promise<void>((resolve) => {
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      const parts = (rest + text).split('\n');
      rest = parts.pop() ?? '';
      publisher.lines.push(...parts);
      if (publisher.lines.includes('ready')) resolve();
    });
  });
  await Promise.race([ready, publisher.closed]);
  return publisher;
}

function published({ lines }: Publisher): readonly string[] {
  return lines.flatMap((line) => (line.startsWith('published ') ? [line.slice('published '.length)] : []));
}

/** Checks that all acknowledged versions exist and that the registry is consistent. */
async function expectWhole(publishers: readonly Publisher[]): Promise<void> {
  await using registry = await openTestRegistry({ folder });
  const { records } = registry.store;
  const result = await verifyStore(registry.store, {
    nowMs: Date.now(),
    removeUnreferenced: false,
    forgetDamaged: false,
  });
  expect(result.problems).toEqual([]);
  for (const publisher of publishers) {
    const there = (await records.listVersions(publisher.name, { limit: 1000, offset: 0 })).items.map(
      ({ version }) => version,
    );
    expect(there).toEqual(expect.arrayContaining([...published(publisher)]));
  }
}

it('accepts only one of two concurrent publishes of a version', async () => {
  const publishers = await Promise.all(['a', 'b'].map((label) => startPublisher(label, 12, 'contested')));
  for (const { child } of publishers) child.stdin?.write('go\n');
  await Promise.all(publishers.map(({ closed }) => closed));
  const [a, b] = publishers.map(published);
  const versions = Array.from({ length: 12 }, (_, patch) => `1.0.${patch}`);
  expect([...(a ?? []), ...(b ?? [])].toSorted()).toEqual(versions.toSorted());
  for (const { lines } of publishers) {
    expect(lines.length).toBe(13);
    expect(lines.filter((line) => line.startsWith('refused ') && !line.startsWith('refused 409 '))).toEqual(
      [],
    );
  }
  await expectWhole(publishers);
  await using registry = await openTestRegistry({ folder });
  const files: string[] = [];
  for await (const { key } of registry.store.blobs.list()) files.push(key);
  expect(files.length).toBe(12);
});

it('loses no acknowledged version if processes are killed', async () => {
  const all: Publisher[] = [];
  for (const [round, acknowledged] of [1, 4, 9].entries()) {
    const publishers = await Promise.all(
      ['a', 'b'].map((label) => startPublisher(`${label}${round}`, 10_000)),
    );
    for (const { child } of publishers) child.stdin?.write('go\n');
    await vi.waitUntil(() => publishers.flatMap(published).length >= acknowledged, {
      timeout: 30_000,
      interval: 5,
    });
    for (const { child } of publishers) child.kill('SIGKILL');
    await Promise.all(publishers.map(({ closed }) => closed));
    all.push(...publishers);
    await expectWhole(all);
  }
});
