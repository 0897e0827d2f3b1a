/** `yank`: yanks versions in the index, or unyanks them. Cargo Book: cargo yank. */
import { TsregError } from '../../core/errors/error.ts';
import { displaySource } from '../../core/package-id/describe.ts';
import type { OperationContext, Report } from '../../core/report/report.ts';
import { confirmPlan, type Consent } from '../shared/registry/confirm-plan.ts';
import { currentCrate, publishableMembers } from '../shared/registry/current-crates.ts';
import { bothNamed, checkCrateName } from '../shared/registry/named-crates.ts';
import {
  type OpenedRegistry,
  openRegistry,
  type RegistryCommandOptions,
} from '../shared/registry/open-registry.ts';
import { type RegistryEntry, registryEntry } from '../shared/registry/registry-document.ts';
import type { ChangeStatus } from '../shared/registry/request-outcome.ts';
import { chooseRegistry, type RegistryFlags } from '../shared/registry/select-registry.ts';
import { changeVersions } from './change-versions.ts';
import {
  type CrateVersion,
  describeVersion,
  parseVersionChoice,
  parseYankTargets,
  type PlannedVersion,
  type VersionChoice,
  versionsToChange,
} from './plan.ts';

/** The command-line options of `yank`. */
export interface YankOptions extends RegistryCommandOptions {
  readonly registry: RegistryFlags;
  /** `crate` or `crate@version`; empty for the package of the working folder. */
  readonly crates: readonly string[];
  /** True for every member that may be published. Without `version`, selects the version in its manifest. */
  readonly workspace: boolean;
  /** The version for crates that are named without one; may be a range unless `isCargo`. */
  readonly version: string | null;
  readonly undo: boolean;
  /** Only some servers store it; null for none. */
  readonly reason: string | null;
  readonly consent: Consent;
}

/** The document of `yank --json`. */
export interface YankDocument {
  /** Version of this format. */
  readonly version: 1;
  readonly registry: RegistryEntry;
  readonly action: 'yank' | 'unyank';
  /** The versions to change, in order. */
  readonly versions: readonly YankEntry[];
}

/** The result for one version. */
export interface YankEntry extends CrateVersion {
  readonly status: ChangeStatus;
  /** Why it failed: the first line of the message, and of each cause. Null if it did not. */
  readonly error: string | null;
}

/** The result of `yank`. */
export interface YankResult {
  readonly document: YankDocument;
  /** The error of the versions that failed; null if there is none. */
  readonly failure: TsregError | null;
}

/** Changes the selected versions, as `changeVersions` does. Rejects if the first one fails before its request. */
export async function yank(options: YankOptions, context: OperationContext): Promise<YankResult> {
  const { config, undo, consent } = options;
  const { report } = context;
  // Errors come in cargo's order: arguments, registry, then the package of the working folder.
  const targets = readTargets(options, context);
  const choice = chooseRegistry(options.registry, config);
  const namedTargets = targets.map((target) => ({
    ...target,
    name: target.name ?? currentCrate(config, context),
  }));
  const registry = await openRegistry({ ...options, choice, refreshes: true, needsToken: true }, context);
  try {
    const versions = await listVersions(namedTargets, { undo, registry, report });
    const verb = undo ? 'unyank' : 'yank';
    const isSingle = targets.length === 1 && targets[0]?.version.kind === 'exact';
    if (versions.length === 0) report.note(`nothing to ${verb}: all named versions are already ${verb}ed`);
    else if (!isSingle || options.workspace) {
      const count = versions.length === 1 ? '1 version' : `${versions.length} versions`;
      const summary = `${verb} ${count} in ${displaySource(registry.source.original)}`;
      await confirmPlan({ summary, steps: versions.map(describeVersion) }, consent, context);
    }
    const { results, failure } = await changeVersions(versions, { ...options, registry }, context);
    if (failure !== null && results[0]?.status === 'pending') throw failure;
    return {
      document: {
        version: 1,
        registry: registryEntry(registry),
        action: verb,
        versions: versions.map(({ name, version }, index) => ({
          name,
          version,
          ...(results[index] ?? { status: 'pending', error: null }),
        })),
      },
      failure,
    };
  } finally {
    await registry.close();
  }
}

/** A crate, and its versions to change. */
interface NamedVersions {
  /** null for the package of the working folder. */
  readonly name: string | null;
  readonly version: VersionChoice;
}

/** Returns the selected versions, after all checks that need no network. */
function readTargets(
  { crates, workspace, version, config, isCargo }: YankOptions,
  context: OperationContext,
): readonly NamedVersions[] {
  if (workspace && crates.length > 0) throw bothNamed();
  const form = { isExact: isCargo };
  const targets = workspace
    ? publishableMembers(config, context).map(({ summary: { id } }) => ({
        name: id.name,
        version: parseVersionChoice(version ?? id.version.text, form),
      }))
    : parseYankTargets(crates, version, form);
  return targets.map((target, index) => {
    if (target.version === null) {
      const hint = versionHint(crates.slice(index));
      throw new TsregError('`--version` is required', { code: 'usage', hint });
    }
    if (target.name !== null && !isCargo) checkCrateName(target.name);
    return { name: target.name, version: target.version };
  });
}

/**
 * Returns a hint with the right form. The first word is the crate. The next one is its version if it looks like one.
 */
function versionHint([crate, nextWord = '']: readonly string[]): string {
  const version = /^\d/.test(nextWord) ? nextWord : 'VERSION';
  const forHere = crate === undefined ? '; `--version` alone is for the package in this folder' : '';
  return `put the version after the name: \`tsreg yank ${crate ?? 'CRATE'}@${version}\`${forHere}`;
}

/** Returns the versions of all targets, without duplicates. Reads the index for ranges. */
async function listVersions(
  targets: readonly (NamedVersions & { readonly name: string })[],
  {
    undo,
    registry,
    report,
  }: { readonly undo: boolean; readonly registry: OpenedRegistry; readonly report: Report },
): Promise<readonly PlannedVersion[]> {
  const byName = new Map<string, PlannedVersion>();
  for (const { name, version } of targets) {
    const versions =
      version.kind === 'exact'
        ? [{ name, version: version.version, isOfRange: false }]
        : await versionsToChange(name, version.requirement, { index: registry.index, yanks: !undo, report });
    for (const planned of versions) byName.set(describeVersion(planned), planned);
  }
  return [...byName.values()];
}
