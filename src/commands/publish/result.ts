/** The JSON document of `publish --json`. */
import { TsregError } from '../../core/errors/error.ts';
import type { PackageId } from '../../core/package-id/package-id.ts';
import type { OpenedRegistry } from '../shared/registry/open-registry.ts';
import { nameAndVersion } from './plan.ts';
import type { PublishOutcomes, PublishState } from './outcomes.ts';
import type { CrateToPublish } from './upload.ts';
import { type RegistryEntry, registryEntry } from '../shared/registry/registry-document.ts';

/** A package and its publish state. */
export interface PublishedEntry {
  readonly name: string;
  readonly version: string;
  /** SHA-256 of the archive, in hexadecimal. */
  readonly checksum: string;
  readonly state: PublishState;
}

/** The output of `publish --json`: the known state of every package at the end of the run, in publish order. */
export interface PublishDocument {
  /** Version of this format. */
  readonly version: 1;
  /** Null if there was nothing to publish. */
  readonly registry: RegistryEntry | null;
  readonly dry_run: boolean;
  readonly packages: readonly PublishedEntry[];
  /** Packages that were left out because of `publish = false`. */
  readonly unpublishable: readonly { readonly name: string; readonly version: string }[];
  /** Why the run ended early; null if it did not. */
  readonly error: string | null;
}

/** The facts about a run. */
export interface PublishFacts {
  readonly registry: OpenedRegistry | null;
  readonly isDryRun: boolean;
  readonly packages: readonly CrateToPublish[];
  readonly outcomes: PublishOutcomes<CrateToPublish>;
  readonly unpublishable: readonly PackageId[];
  readonly error: unknown;
}

/** Returns the document of a run. */
export function publishDocument({
  registry,
  isDryRun,
  packages,
  outcomes,
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
      state: outcomes.stateOf(each),
    })),
    unpublishable: unpublishable.map(nameAndVersion),
    error: error === null ? null : errorText(error),
  };
}

/** Returns the messages of an error and its causes, one per line. */
function errorText(error: unknown): string {
  const messages: string[] = [];
  for (let at = error; at instanceof Error; at = at.cause) {
    messages.push(at.message);
    if (!(at instanceof TsregError)) break;
  }
  return messages.join('\n');
}
