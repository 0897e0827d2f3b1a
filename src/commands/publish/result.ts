/** The state of each package during a run, and the JSON document of `publish --json`. */
import { errorLines } from '../../core/errors/error-lines.ts';
import type { PackageId } from '../../core/package-id/package-id.ts';
import type { OpenedRegistry } from '../shared/registry/open-registry.ts';
import { type RegistryEntry, registryEntry } from '../shared/registry/registry-document.ts';
import type { Report } from '../../core/report/report.ts';
import {
  type CrateToPublish,
  type HasPackageId,
  listNames,
  nameAndVersion,
  type Release,
  shortName,
} from './release.ts';

/**
 * The state of a package:
 * - `not-published`: it was not sent;
 * - `unknown`: it was sent, but it is unknown whether the registry has it;
 * - `refused`: the registry refused it;
 * - `uploaded`: the registry accepted it, but the index does not show it yet;
 * - `published`: the index shows it;
 * - `skipped`: it was already published;
 * - `checked`: a dry run has completed.
 */
export type PublishState =
  | 'not-published'
  | 'unknown'
  | 'refused'
  | 'uploaded'
  | 'published'
  | 'skipped'
  | 'checked';

/** The text for each state, in the order of output. */
const STATE_TEXTS: Readonly<Record<PublishState, string>> = {
  skipped: 'already there',
  published: 'published',
  checked: 'checked',
  uploaded: 'uploaded, but not in the index yet',
  unknown: 'sent, but the outcome is unknown',
  refused: 'refused by the registry',
  'not-published': 'not published',
};

/** The states of all packages in a run. */
export class PublishOutcomes<T extends HasPackageId> {
  readonly #states = new Map<T, PublishState>();

  /** All packages are `not-published` at first. */
  constructor(packages: Iterable<T>) {
    for (const crate of packages) this.#states.set(crate, 'not-published');
  }

  mark(crate: T, state: PublishState): void {
    this.#states.set(crate, state);
  }

  stateOf(crate: T): PublishState {
    return this.#states.get(crate) ?? 'not-published';
  }

  /** Returns the packages in a state, in the order in which they were passed to the constructor. */
  #packagesIn(state: string): readonly T[] {
    return Array.from(this.#states).flatMap(([crate, crateState]) => (crateState === state ? [crate] : []));
  }

  /** Returns how to publish the rest if the registry may have some packages, but not all; else null. */
  get resumeHint(): string | null {
    const states = new Set(this.#states.values());
    const isStarted = states.has('published') || states.has('uploaded');
    const isUnfinished = states.has('refused') || states.has('not-published');
    if (!states.has('unknown') && !(isStarted && isUnfinished)) return null;
    const uploaded = listNames(this.#packagesIn('uploaded'), 'and');
    const wait = uploaded === '' ? '' : `wait until the index has ${uploaded}, then `;
    return `${wait}run the command again with \`--skip-published\`: it checks first, and sends only what is missing`;
  }

  /** Reports the state of every package. */
  summarize(report: Report, help?: string): void {
    const lines = Object.entries(STATE_TEXTS).flatMap(([state, text]) => {
      const packages = this.#packagesIn(state);
      return packages.length === 0 ? [] : [`${text}: ${packages.map(shortName).join(', ')}`];
    });
    report.note(lines.join('\n'), help);
  }
}

/** A package and its publish state. */
export interface PublishedEntry {
  readonly name: string;
  readonly version: string;
  /** SHA-256 of the archive, in hexadecimal. */
  readonly checksum: string;
  /** True if this run has built the package from the archive. */
  readonly verified: boolean;
  readonly state: PublishState;
}

/** The output of `publish --json`: the known state of every package at the end of the run, in publish order. */
export interface PublishDocument {
  /** Version of this format. */
  readonly version: 1;
  /** Null if there was nothing to publish. */
  readonly registry: RegistryEntry | null;
  readonly dryRun: boolean;
  readonly packages: readonly PublishedEntry[];
  /** Packages that were left out because of `publish = false`. */
  readonly unpublishable: readonly { readonly name: string; readonly version: string }[];
  /** Why the run ended early: the first line of the message, and of each cause. Null if it did not. */
  readonly error: string | null;
}

/** The facts about a run. */
export interface PublishFacts {
  /** Null if there was nothing to publish. */
  readonly registry: OpenedRegistry | null;
  readonly isDryRun: boolean;
  readonly packages: readonly CrateToPublish[];
  readonly outcomes: PublishOutcomes<CrateToPublish>;
  readonly unpublishable: readonly PackageId[];
  /** The error that ended the run early; null if there is none. */
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
    dryRun: isDryRun,
    packages: packages.map((crate) => ({
      ...nameAndVersion(crate.id),
      checksum: crate.sha256,
      verified: crate.isVerified,
      state: outcomes.stateOf(crate),
    })),
    unpublishable: unpublishable.map(nameAndVersion),
    error: error === null ? null : errorLines(error),
  };
}

/** The result of `publish`. */
export interface PublishResult {
  readonly document: PublishDocument;
  /** The error that stopped the run after archives were made; null if there is none. */
  readonly error: unknown;
}

/** Warns that all selected packages have `publish = false`, and returns the result without any package. */
export function nothingToPublish(
  { unpublishable, context }: Pick<Release, 'unpublishable' | 'context'>,
  { isDryRun }: { readonly isDryRun: boolean },
): PublishResult {
  const count = unpublishable.length;
  context.report.warning({
    title: `nothing to publish, but found ${count} unpublishable package${count === 1 ? '' : 's'}`,
    remarks: [
      {
        label: 'help',
        text: 'to publish packages, set `package.publish` to `true` or a non-empty list',
      },
    ],
  });
  const outcome = { registry: null, isDryRun, packages: [], unpublishable, error: null };
  return { document: publishDocument({ ...outcome, outcomes: new PublishOutcomes([]) }), error: null };
}
