import { CRATES_IO_DOMAIN, CRATES_IO_SPARSE_INDEX } from '../../../core/package-id/crates-io.ts';

/** The name of an upstream on pages. */
export interface UpstreamName {
  /** `crates.io`, or the host of the index. */
  readonly name: string;
  readonly isCratesIo: boolean;
  /** URL of the index. */
  readonly index: string;
}

/** Returns the name of the upstream with this index URL. */
export function upstreamName(index: string): UpstreamName {
  const isCratesIo = index === CRATES_IO_SPARSE_INDEX;
  return { name: isCratesIo ? CRATES_IO_DOMAIN : new URL(index).host, isCratesIo, index };
}
