import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { afterAll, describe, expect, it } from 'vitest';
import { requireOwnJournals } from '../../../src/server/records/own-journals.ts';
import { makeTempDir } from '../../helpers/temp-dir.ts';

const temp = makeTempDir('own-journals');
afterAll(() => temp.remove());

/** Creates and deletes a file again and again, as another process does with the journal of each transaction. */
const APPEARING = `
  const { unlinkSync, writeFileSync } = require('node:fs');
  const { parentPort, workerData } = require('node:worker_threads');
  parentPort.postMessage('started');
  for (;;) {
    try {
      writeFileSync(workerData, '');
      unlinkSync(workerData);
    } catch {
      // Windows refuses both for a moment while the file is open.
    }
  }`;

describe('the check of the files next to a database', () => {
  it('passes while another process commits transactions', async () => {
    const database = path.join(temp.path, 'registry.db');
    writeFileSync(database, '');
    const worker = new Worker(APPEARING, { eval: true, workerData: `${database}-journal` });
    await new Promise((resolve) => worker.once('message', resolve));
    try {
      const end = performance.now() + 500;
      while (performance.now() < end) expect(() => requireOwnJournals(database)).not.toThrow();
    } finally {
      await worker.terminate();
    }
  });
});
