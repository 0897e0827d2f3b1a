import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { LazyRecords } from '../../../src/derived/lazy-records.ts';
import type { RecordFile } from '../../../src/derived/record-file.ts';
import type { MirroredFile } from '../../../src/disk/mirrored-file.ts';
import { SETTLING_MS } from '../../../src/disk/stamp.ts';
import { call, OF_CALLS } from '../../../src/library/call.ts';
import { bytesOfText } from '../../../src/metadata/document-text.ts';
import { metadata, sharedByCalls } from '../../../src/ops/metadata.ts';
import { buildCrate, type CrateDecl } from '../../helpers/crate.ts';
import { type RegistryServer, startRegistryServer } from '../../helpers/registry-server.ts';
import { SmallWorkspace } from '../../helpers/small-workspace.ts';
import { makeTempDir } from '../../helpers/temp-dir.ts';

const temp = makeTempDir('several-roots');
const home = path.join(temp.path, 'home');
let server: RegistryServer;
beforeAll(async () => {
  server = await startRegistryServer();
});
afterAll(async () => {
  await server.close();
  temp.remove();
});

function mount(crates: readonly CrateDecl[]): void {
  server.mount('alt', { crates: crates.map((decl) => buildCrate(decl, () => '')) });
}

function workspace(name: string, requirement: string): SmallWorkspace {
  const options = { dependencies: { aa: requirement }, home };
  return new SmallWorkspace(path.join(temp.path, name), `sparse+${server.url}/alt/`, options);
}

/** Records whose memory is others' as soon as they are closed. */
class ReusedRecords extends LazyRecords {
  readonly #given: Uint8Array[] = [];

  override open(file: MirroredFile): RecordFile {
    const record = super.open(file);
    const bytes = (from: number, to: number): Uint8Array => {
      const given = record.bytes(from, to);
      this.#given.push(given);
      return given;
    };
    return { length: record.length, bytes, glimpse: (from, to) => record.glimpse(from, to) };
  }

  override closeAll(): void {
    super.closeAll();
    for (const given of this.#given.splice(0)) given.fill(0x78);
  }
}

function wait(ms: number): void {
  for (const until = Date.now() + ms; Date.now() < until; );
}

/** As one call of the program for several manifests. */
async function askTogether(
  roots: readonly SmallWorkspace[],
  records = new LazyRecords(),
): Promise<readonly string[]> {
  const shared = { ...sharedByCalls(roots.length), records };
  const documents: string[] = [];
  for (const { cwd } of roots) {
    const env = { CARGO_HOME: home, PATH: process.env['PATH'] };
    await call({ cwd, env }, OF_CALLS, async (options, context) => {
      const { document, remember } = await metadata(
        {
          ...{ ...options, formatVersion: 1, noDeps: false, filterPlatforms: [] },
          ...{ idForm: 'legacy', lockfilePath: null },
        },
        { ...context, shared },
      );
      documents.push(bytesOfText(document).toString());
      remember();
    });
  }
  return documents;
}

it('gives each root what it gets alone, though one of them changes the index that others know', async () => {
  const older: CrateDecl = { name: 'aa', version: '1.0.0', deps: ['bb 1'] };
  const bb: CrateDecl = { name: 'bb', version: '1.0.0' };
  mount([older, bb]);
  const [first, second] = [workspace('first', '=1.0.0'), workspace('second', '=1.0.0')];
  for (let round = 0; round < 2; round += 1) for (const each of [first, second]) await each.ask();
  const alone = [await first.ask(), await second.ask(), await first.ask()];
  expect(await askTogether([first, second, first])).toEqual(alone);

  mount([{ ...older, index: { deps: [] } }, { ...older, version: '1.0.1' }, bb]);
  const changing = workspace('changing', '=1.0.1');
  const [before, , after] = await askTogether([first, changing, second]);
  expect(before).toBe(alone[0]);
  expect(after).not.toBe(alone[1]);
  expect(after).toBe(await second.ask('off'));
});

it('reads a workspace whose record was given up as it is on disk, and keeps that', async () => {
  mount([{ name: 'aa', version: '1.0.0' }]);
  const [one, other] = [workspace('one', '=1.0.0'), workspace('other', '=1.0.0')];
  for (let round = 0; round < 2; round += 1) for (const each of [one, other]) await each.ask();
  const alone = [await one.ask(), await other.ask()];
  // The record of the workspace holds, that of its dependencies does not.
  for (const { cwd } of [one, other]) appendFileSync(path.join(cwd, 'Cargo.lock'), '# edited\n');
  expect(await askTogether([one, other], new ReusedRecords())).toEqual(alone);
  expect(await askTogether([one, other], new ReusedRecords())).toEqual(alone);
});

it('keeps nothing of an index that has changed since it began, though it has read nothing by then', async () => {
  mount([{ name: 'aa', version: '1.0.0' }]);
  const ws = workspace('late', '=1.0.0');
  for (let round = 0; round < 2; round += 1) await ws.ask();
  const kept = (): readonly Buffer[] =>
    ws.records().flatMap((file) => (/(dependencies|changes)$/.test(file) ? [readFileSync(file)] : []));
  const before = kept();
  const index = path.join(ws.registryFolder('index'), '.cache', '2', 'aa');
  class TouchingRecords extends LazyRecords {
    #isTouched = false;

    override open(file: MirroredFile): RecordFile {
      if (this.#isTouched) return super.open(file);
      this.#isTouched = true;
      // The clock of a file system is late by up to a tick.
      wait(SETTLING_MS);
      writeFileSync(index, readFileSync(index));
      wait(SETTLING_MS);
      return super.open(file);
    }
  }
  appendFileSync(path.join(ws.cwd, 'Cargo.lock'), '# edited\n');
  expect(await askTogether([ws], new TouchingRecords())).toEqual([await ws.ask('off')]);
  expect(kept()).toEqual(before);
});
