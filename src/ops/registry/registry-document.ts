/** How documents name a registry. */
import { CRATES_IO_NAME } from '../../package-id/crates-io.ts';
import { isCratesIo, type SourceId } from '../../package-id/source-id.ts';
import { formatUnpinnedUrl } from '../../package-id/source-url.ts';

/** A registry in a document of `--json`, where its web API does not matter. */
export interface RegistryName {
  /** As configuration calls it, `crates-io` for crates.io; null for one that is known by the URL of its index alone. */
  readonly name: string | null;
  /** The index: `registry+https://…` or `sparse+https://…`. */
  readonly index: string;
}

/** A registry in a document of `--json`. */
export interface RegistryEntry extends RegistryName {
  /** Base of the web API, as the index has it. */
  readonly api: string;
}

/** The name of a registry. */
export function registryNameOf(source: SourceId): RegistryName {
  const name = isCratesIo(source) ? CRATES_IO_NAME : source.registryName;
  return { name, index: formatUnpinnedUrl(source, { encoded: true }) };
}

/** The entry of a registry whose web API is at `host`. */
export function registryEntry({
  source,
  host,
}: {
  readonly source: { readonly original: SourceId };
  readonly host: string;
}): RegistryEntry {
  return { ...registryNameOf(source.original), api: host };
}
