/** Registries in JSON documents. */
import { CRATES_IO_NAME } from '../../../core/package-id/crates-io.ts';
import { isCratesIo, type SourceId } from '../../../core/package-id/source-id.ts';
import { formatUnpinnedUrl } from '../../../core/package-id/source-url.ts';

/** A registry in a `--json` document, without its web API. */
export interface RegistryName {
  /** Its name in the configuration, `crates-io` for crates.io; null if only its index URL is known. */
  readonly name: string | null;
  /** The index: `registry+https://…` or `sparse+https://…`. */
  readonly index: string;
}

/** A registry in a `--json` document, with its web API. */
export interface RegistryEntry extends RegistryName {
  /** Base URL of the web API, from the index. */
  readonly api: string;
}

/** Returns the name and the index URL of a registry. */
export function registryNameOf(source: SourceId): RegistryName {
  const name = isCratesIo(source) ? CRATES_IO_NAME : source.registryName;
  return { name, index: formatUnpinnedUrl(source, { encoded: true }) };
}

/** Returns the entry of a registry with its web API at `host`. */
export function registryEntry({
  source,
  host,
}: {
  readonly source: { readonly original: SourceId };
  readonly host: string;
}): RegistryEntry {
  return { ...registryNameOf(source.original), api: host };
}
