import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LicenseGate } from '../../../src/server/publish/license-gate.ts';
import { LicenseRules } from '../../../src/server/publish/license-rules.ts';
import type { CacheReader } from '../../../src/server/store/mirrored-crates.ts';
import { NO_GATES } from '../../helpers/mirror.ts';
import { openTestRegistry, type TestRegistry } from '../../helpers/test-registry.ts';

let registry: TestRegistry;
let gate: LicenseGate;
/** The crates whose archives were opened, in order. */
let opened: string[];
/** Lets the store respond. Until then, every read waits. */
let release: () => void;

beforeEach(async () => {
  registry = await openTestRegistry();
  gate = new LicenseGate(new LicenseRules({ ...NO_GATES, deniedLicenses: ['MIT'] }), registry.context);
  opened = [];
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  registry.store.blobs.open = async (key) => {
    opened.push(key);
    await released;
    return null;
  };
});
afterEach(async () => {
  gate.close();
  await registry[Symbol.asyncDispose]();
});

/** Returns the message of the error, as the store has no archive. */
async function ask(crate: string, reader: CacheReader | null): Promise<string> {
  const version = { crate, version: '1.0.0', checksum: crate, size: 1, blobKey: crate, publishedAtMs: 0 };
  try {
    await gate.reasonToRefuse({ ...version, isEvictable: true }, reader);
    return 'served';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function page(owner: string, signal = new AbortController().signal): CacheReader {
  return { owner, signal };
}

const UNKNOWN = /^the license of crate `.*` version `1\.0\.0` cannot be read at the moment; try again later$/;

describe('pages that need a license', () => {
  it('do not delay downloads, except for one page', async () => {
    const asked = ['p1', 'p2', 'p3'].map((crate) => ask(crate, page(crate)));
    asked.push(ask('download', null));
    release();
    for (const message of await Promise.all(asked)) expect(message).toMatch(UNKNOWN);
    expect(opened).toEqual(['p1', 'download', 'p2', 'p3']);
  });

  it('are refused if too many wait, unlike downloads', async () => {
    const asked = Array.from({ length: 33 }, (_, index) => ask(`p${index}`, page(`owner ${index}`)));
    expect(await ask('late', page('late'))).toMatch(UNKNOWN);
    asked.push(ask('download', null));
    release();
    await Promise.all(asked);
    expect(opened).toHaveLength(34);
    expect(opened).not.toContain('late');
  });

  it('are not read for readers who have gone away', async () => {
    const controller = new AbortController();
    const asked = [ask('p1', page('a')), ask('p2', page('b', controller.signal)), ask('p3', page('c'))];
    controller.abort(new Error('gone'));
    release();
    expect((await Promise.all(asked))[1]).toBe('gone');
    expect(opened).toEqual(['p1', 'p3']);
  });
});
