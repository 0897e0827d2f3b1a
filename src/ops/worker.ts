/** The program of the threads of a `WorkerPool`. Whatever fails here is done again by the caller, who reports it. */
import { parentPort } from 'node:worker_threads';
import type { PackageLocation } from '../cache/package-pack.ts';
import { isRight, readCrate, storeCrate } from '../sources/crate-file.ts';
import { unpackArchive } from '../sources/unpack-package.ts';
import { vendorCrate } from '../sources/vendor-crate.ts';
import type { TaskResult, UnpackTask } from '../disk/worker-pool.ts';
import { IndependentReader, type ReadPackage } from './graph/read-package.ts';

/** Packages to read, as an `IndependentReader` does. The result has what it read, in the same order. */
export interface ReadTask {
  readonly kind: 'read';
  readonly cargoHome: string;
  readonly packages: readonly PackageLocation[];
}

parentPort?.on('message', (task: UnpackTask | ReadTask) => {
  const answer = (said: TaskResult<unknown>): void => parentPort?.postMessage(said);
  const work: Promise<unknown> = task.kind === 'unpack' ? unpack(task) : Promise.resolve(read(task));
  work.then(
    (result) => answer({ result }),
    () => answer({ result: null }),
  );
});

async function unpack({ archive, vendored, parent, dirName }: UnpackTask): Promise<boolean> {
  let bytes: Uint8Array;
  if (typeof archive === 'string') bytes = readCrate(archive);
  else {
    bytes = archive.bytes;
    if (!isRight(bytes, archive.checksum)) return false;
    await storeCrate(archive.path, bytes);
  }
  if (vendored === undefined) unpackArchive(bytes, { parent, dirName });
  else vendorCrate(bytes, { parent, dirName, ...vendored });
  return true;
}

let reader: IndependentReader | null = null;

function read({ cargoHome, packages }: ReadTask): readonly (ReadPackage | null)[] {
  const own = (reader ??= new IndependentReader(cargoHome));
  return packages.map((each) => own.read(each));
}
