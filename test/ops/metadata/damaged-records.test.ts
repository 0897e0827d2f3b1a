import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DerivedStore } from '../../../src/derived/store.ts';
import { NodeFiles } from '../../../src/disk/node-files.ts';
import { call, OF_CALLS } from '../../../src/library/call.ts';
import { bytesOfText } from '../../../src/metadata/document-text.ts';
import { PackagesOnDisk } from '../../../src/ops/graph/packages-on-disk.ts';
import type { MetadataOptions } from '../../../src/ops/metadata/metadata-run.ts';
import { recallMetadata } from '../../../src/ops/metadata/recall-metadata.ts';
import { cacheOwner } from '../../../src/ops/version.ts';
import { startRun } from '../../../src/ops/workspace/workspace-run.ts';
import { bytesOf, withText } from '../../helpers/changed-record.ts';
import { buildCrate } from '../../helpers/crate.ts';
import { type RegistryServer, startRegistryServer } from '../../helpers/registry-server.ts';
import { SmallWorkspace } from '../../helpers/small-workspace.ts';
import { makeTempDir } from '../../helpers/temp-dir.ts';

const temp = makeTempDir('damaged-records');
const OWNER = cacheOwner({ projectFiles: 'trusted' });
let server: RegistryServer;
beforeAll(async () => {
  server = await startRegistryServer();
  server.mount('alt', { crates: [buildCrate({ name: 'aa', version: '1.0.0' }, () => '')] });
});
afterAll(async () => {
  await server.close();
  temp.remove();
});

function small(name: string): SmallWorkspace {
  return new SmallWorkspace(path.join(temp.path, name), `sparse+${server.url}/alt/`, {
    dependencies: { aa: '1' },
  });
}

/** What the records alone answer; null where they do not. */
type Recall = (noDeps?: boolean) => Promise<string | null>;

async function withRecall(
  { cwd, home, manifest }: SmallWorkspace,
  body: (recall: Recall) => Promise<void>,
): Promise<void> {
  await call({ cwd, env: { CARGO_HOME: home } }, OF_CALLS, (shared, context) =>
    body(async (noDeps = false) => {
      const options: MetadataOptions = {
        ...{ ...shared, formatVersion: 1, noDeps, filterPlatforms: [] },
        ...{ idForm: 'legacy', lockfilePath: null },
      };
      const run = startRun(options, {
        ...{ context, files: new NodeFiles(), manifestPath: manifest },
        onDisk: new PackagesOnDisk(),
      });
      const recalled = await recallMetadata(run, new DerivedStore(home, OWNER));
      return recalled === null ? null : bytesOfText(recalled.document).toString();
    }),
  );
}

describe('records', () => {
  it('answer rightly or not at all, whichever byte is flipped', { timeout: 300_000 }, async () => {
    const workspace = small('flipped');
    await withRecall(workspace, (recall) => flipEach(workspace, recall));
  });

  async function flipEach(workspace: SmallWorkspace, recall: Recall): Promise<void> {
    await workspace.ask();
    // The answer is kept by the first run that found a lock file.
    const wanted = await workspace.ask();
    expect(await recall()).toBe(wanted);
    expect(workspace.records()).toHaveLength(3);
    for (const record of workspace.records()) {
      const whole = readFileSync(record);
      // The second half is a copy of the first, and both are compared.
      for (let at = 0; at < whole.length; at += at < whole.length / 2 ? 1 : 13) {
        const damaged = Buffer.from(whole);
        damaged[at] = (whole[at] ?? 0) ^ (1 << (at % 8));
        writeFileSync(record, damaged);
        const answer = await recall();
        if (answer !== null && answer !== wanted) expect(answer, `byte ${at} of ${record}`).toBe(wanted);
        // Now and then the whole way: read anew, and written whole again.
        if (at % 499 === 0) {
          expect(await workspace.ask(), `byte ${at} of ${record}`).toBe(wanted);
          expect(await recall(), `after byte ${at} of ${record}`).toBe(wanted);
        }
      }
      writeFileSync(record, whole);
    }
    expect(await recall()).toBe(wanted);
  }

  it('of another build are not read, though they are whole', async () => {
    const workspace = small('other-build');
    await withRecall(workspace, (recall) => liesOf(workspace, recall));
  });

  async function liesOf(workspace: SmallWorkspace, recall: Recall): Promise<void> {
    const { home, manifest } = workspace;
    const wanted = await workspace.ask();
    const ours = new DerivedStore(home, OWNER);
    const lies = withText(bytesOf(ours.read('workspace', manifest)), '"edition":"2021"', '"edition":"2018"');
    ours.write('workspace', manifest, lies);
    expect(await recall(true)).toContain('"edition":"2018"');
    rmSync(path.join(home, 'tsreg', 'derived'), { recursive: true });
    new DerivedStore(home, `another build ${OWNER}`).write('workspace', manifest, lies);
    expect(await recall(true)).toBeNull();
    expect(await workspace.ask()).toBe(wanted);
    expect(await recall()).toBe(wanted);
  }
});
