/** The document of `publish --json`. */
import { TsregError } from '../../errors/error.ts';
import type { PackageId } from '../../package-id/package-id.ts';
import type { OpenedRegistry } from '../registry/open-registry.ts';
import { nameAndVersion } from './publish-forecast.ts';
import type { PublishLedger, PublishState } from './publish-ledger.ts';
import type { CrateToPublish } from './publish-upload.ts';
import { type RegistryEntry, registryEntry } from '../registry/registry-document.ts';

/** What became of one package. */
export interface PublishedEntry {
  readonly name: string;
  readonly version: string;
  /** Of the archive that was made, SHA-256 in hexadecimal. */
  readonly checksum: string;
  readonly state: PublishState;
}

/** What `publish --json` prints: what is certain of every package when the run ends, in the order of publishing. */
export interface PublishDocument {
  /** Of this form. */
  readonly version: 1;
  /** Null where there was nothing to publish. */
  readonly registry: RegistryEntry | null;
  readonly dry_run: boolean;
  readonly packages: readonly PublishedEntry[];
  /** Packages that were left out because they may not be published (`publish = false`). */
  readonly unpublishable: readonly { readonly name: string; readonly version: string }[];
  /** Why the run ended before its time; null if it did not. */
  readonly error: string | null;
}

/** What there is to say of a run. */
export interface PublishFacts {
  readonly registry: OpenedRegistry | null;
  readonly isDryRun: boolean;
  readonly packages: readonly CrateToPublish[];
  readonly ledger: PublishLedger<CrateToPublish>;
  readonly unpublishable: readonly PackageId[];
  readonly error: unknown;
}

/** The document of a run. */
export function publishDocument({
  registry,
  isDryRun,
  packages,
  ledger,
  unpublishable,
  error,
}: PublishFacts): PublishDocument {
  return {
    version: 1,
    registry: registry === null ? null : registryEntry(registry),
    dry_run: isDryRun,
    packages: packages.map((each) => ({
      name: each.id.name,
      version: each.id.version.text,
      checksum: each.sha256,
      state: ledger.stateOf(each),
    })),
    unpublishable: unpublishable.map(nameAndVersion),
    error: error === null ? null : errorText(error),
  };
}

/** The messages of an error and what led to it, a line each. */
function errorText(error: unknown): string {
  const messages: string[] = [];
  for (let at = error; at instanceof Error; at = at.cause) {
    messages.push(at.message);
    if (!(at instanceof TsregError)) break;
  }
  return messages.join('\n');
}
