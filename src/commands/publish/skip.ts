/** Skips packages that the registry already has, so that an interrupted run can simply be repeated. */
import { join } from 'node:path';
import { compareCrates, type CrateDifference } from '../../io/archive/compare-crates.ts';
import { TsregError } from '../../core/errors/error.ts';
import type { Files } from '../../core/files/files.ts';
import { describeIndex } from '../../core/package-id/describe.ts';
import type { OperationContext } from '../../core/report/report.ts';
import type { Summary } from '../../core/summary/summary.ts';
import type { OpenedRegistry } from '../shared/registry/open-registry.ts';
import { shortName } from './outcomes.ts';
import type { CrateToPublish } from './upload.ts';

/** Maximum size of an unpacked archive. */
const MAX_UNPACKED_BYTES = 512 * 1024 * 1024;

/** Access to the published archive. */
export interface SkipOptions {
  readonly registry: OpenedRegistry;
  readonly files: Files;
}

/**
 * Checks that a published version is the package that would be sent, and reports that it is skipped. If the checksums
 * differ, downloads the published archive and compares the files: another program, or another tsreg version, may
 * compress the same files differently. Rejects with both checksums if the files differ.
 */
export async function skipPublished(
  crate: CrateToPublish,
  published: Summary,
  { registry, files }: SkipOptions,
  { report }: OperationContext,
): Promise<void> {
  const place = describeIndex(registry.source.original);
  if (published.checksum === crate.sha256) {
    report.status('Skipping', `${shortName(crate)}, which is on ${place} with the same checksum`);
    return;
  }
  const [fetched] = await registry.index.fetch([published]);
  const stored =
    fetched?.archive === undefined ? null : files.read(join(fetched.archive.folder, fetched.archive.name));
  if (stored === null) {
    throw new TsregError(`the published archive of ${shortName(crate)} cannot be read`, {
      code: 'not-found',
    });
  }
  const difference = compareCrates(await crate.archive(), stored, { maxBytes: MAX_UNPACKED_BYTES });
  if (difference.kind === 'files') throw differs(crate, published, { place, path: difference.path });
  report.status(
    'Skipping',
    `${shortName(crate)}, which is on ${place} with the same files${remark(difference)}`,
  );
}

function remark({ kind }: CrateDifference): string {
  return kind === 'commit' ? ', made from another commit' : ', compressed by another program';
}

function differs(
  crate: CrateToPublish,
  { checksum }: Summary,
  { place, path }: { readonly place: string; readonly path: string },
): TsregError {
  const { name, version } = crate.id;
  return new TsregError(
    `crate ${name}@${version.text} already exists on ${place}, and is not the same package\n` +
      `published: ${checksum ?? '(no checksum)'}\n` +
      `here:      ${crate.sha256}\n` +
      `\`${path}\` is not the same in both: publish the changed package as another version`,
    { code: 'checksum' },
  );
}
