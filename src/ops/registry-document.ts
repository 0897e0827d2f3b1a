/** How documents name a registry. */
import { CRATES_IO_NAME } from '../package-id/crates-io.ts';
import { isCratesIo, type SourceId } from '../package-id/source-id.ts';
import { formatUnpinnedUrl } from '../package-id/source-url.ts';
import type { OpenedRegistry } from './open-registry.ts';

/** A registry in a document of `--json`. */
export interface RegistryEntry {
  /** As configuration calls it, `crates-io` for crates.io; null for one that is known by the URL of its index alone. */
  readonly name: string | null;
  /** The index: `registry+https://…` or `sparse+https://…`. */
  readonly index: string;
  /** Base of the web API, as the index has it. */
  readonly api: string;
}

/** The entry of a registry. */
export function registryEntry({ source, host }: OpenedRegistry): RegistryEntry {
  const { original } = source;
  return { name: registryName(original), index: formatUnpinnedUrl(original, { encoded: true }), api: host };
}

function registryName(source: SourceId): string | null {
  return isCratesIo(source) ? CRATES_IO_NAME : source.registryName;
}
