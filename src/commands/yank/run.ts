/** `yank`: yanks versions in the index, or unyanks them. Cargo Book: cargo yank. */
import { TsregError } from '../../core/errors/error.ts';
import { displaySource } from '../../core/package-id/describe.ts';
import type { OperationContext, Report } from '../../core/report/report.ts';
import { confirmPlan, type Consent } from '../shared/registry/confirm-plan.ts';
import {
  bothNamed,
  checkCrateName,
  currentCrate,
  publishableMembers,
} from '../shared/registry/named-crates.ts';
import {
  type OpenedRegistry,
  openRegistry,
  type RegistryCommandOptions,
} from '../shared/registry/open-registry.ts';
import { type RegistryEntry, registryEntry } from '../shared/registry/registry-document.ts';
import {
  type ChangeStatus,
  responseBehind,
  outcomeOf,
  statusAfter,
} from '../shared/registry/request-outcome.ts';
import { chooseRegistry, type RegistryFlags } from '../shared/registry/select-registry.ts';
import {
  type CrateVersion,
  parseYankTargets,
  type PlannedVersion,
  versionsToChange,
  type YankTarget,
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
}

/** The result of `yank`. */
export interface YankResult {
  readonly document: YankDocument;
  /** The error of the versions that failed; null if there is none. */
  readonly failure: TsregError | null;
}

/**
 * Changes one version after the other. If the registry refuses a version of a range, continues with the next one. Stops
 * at any other failure, and at an interruption. Rejects if nothing was requested at all.
 */
export async function yank(options: YankOptions, context: OperationContext): Promise<YankResult> {
  const { config, undo, consent } = options;
  const { report } = context;
  const targets = readTargets(options, context);
  const choice = chooseRegistry(options.registry, config);
  const named = targets.map((target) => ({
    ...target,
    name: target.name ?? currentCrate(config, context),
  }));
  const registry = await openRegistry({ ...options, choice, refreshes: true, needsToken: true }, context);
  try {
    const versions = await listVersions(named, { undo, registry, report });
    const verb = undo ? 'unyank' : 'yank';
    const isSingle = targets.length === 1 && targets[0]?.version?.kind === 'exact';
    if (versions.length === 0) report.note(`nothing to ${verb}: all named versions are already ${verb}ed`);
    else if (!isSingle || options.workspace) {
      const count = versions.length === 1 ? '1 version' : `${versions.length} versions`;
      const summary = `${verb} ${count} in ${displaySource(registry.source.original)}`;
      await confirmPlan({ summary, steps: versions.map(describe) }, consent, context);
    }
    const { statuses, failure } = await changeAll(versions, { options, registry }, context);
    if (failure !== null && statuses[0] === 'pending') throw failure;
    return {
      document: {
        version: 1,
        registry: registryEntry(registry),
        action: verb,
        versions: versions.map(({ name, version }, at) => ({
          name,
          version,
          status: statuses[at] ?? 'pending',
        })),
      },
      failure,
    };
  } finally {
    await registry.close();
  }
}

/** Returns the selected versions, after all checks that need no network. */
function readTargets(
  { crates, workspace, version, config, isCargo }: YankOptions,
  context: OperationContext,
): readonly (YankTarget & { readonly version: NonNullable<YankTarget['version']> })[] {
  if (workspace && crates.length > 0) throw bothNamed();
  const form = { isExact: isCargo };
  const members = workspace ? publishableMembers(config, context).map(({ summary }) => summary.id) : [];
  const targets = workspace
    ? members.map(({ name, version: own }) => ({
        name,
        version: parseYankTargets([], version ?? own.text, form)[0]?.version ?? null,
      }))
    : parseYankTargets(crates, version, form);
  return targets.map((target, at) => {
    if (target.version === null)
      throw new TsregError('`--version` is required', { code: 'usage', hint: versionHint(crates.slice(at)) });
    if (target.name !== null && !isCargo) checkCrateName(target.name);
    return { name: target.name, version: target.version };
  });
}

/**
 * Returns a hint with the right form. The first word is the crate. The next one is its version if it looks like one.
 */
function versionHint([crate, behind = '']: readonly string[]): string {
  const version = /^\d/.test(behind) ? behind : 'VERSION';
  const forHere = crate === undefined ? '; `--version` alone is for the package in this folder' : '';
  return `put the version after the name: \`tsreg yank ${crate ?? 'CRATE'}@${version}\`${forHere}`;
}

async function listVersions(
  targets: readonly { readonly name: string; readonly version: NonNullable<YankTarget['version']> }[],
  {
    undo,
    registry,
    report,
  }: { readonly undo: boolean; readonly registry: OpenedRegistry; readonly report: Report },
): Promise<readonly PlannedVersion[]> {
  const found = new Map<string, PlannedVersion>();
  for (const { name, version } of targets) {
    const versions =
      version.kind === 'exact'
        ? [{ name, version: version.version, isOfRange: false }]
        : await versionsToChange(name, version.requirement, { index: registry.index, yanks: !undo, report });
    for (const each of versions) found.set(describe(each), each);
  }
  return [...found.values()];
}

/** A version that the registry refused to change, and why. */
interface RefusedVersion extends CrateVersion {
  readonly failure: TsregError;
}

/**
 * Changes versions, up to the first failure that is not about a single version of a range. Returns the statuses of
 * those processed, in order.
 */
async function changeAll(
  versions: readonly PlannedVersion[],
  {
    options: { undo, reason, isCargo },
    registry,
  }: { readonly options: YankOptions; readonly registry: OpenedRegistry },
  { report, signal }: OperationContext,
): Promise<{ readonly statuses: readonly ChangeStatus[]; readonly failure: TsregError | null }> {
  const statuses: ChangeStatus[] = [];
  const refusals: RefusedVersion[] = [];
  const kind = undo ? 'unyank' : 'yank';
  for (const [done, { name, version, isOfRange }] of versions.entries()) {
    let isSent = false;
    try {
      const api = await registry.api({ kind, name, vers: version });
      isSent = true;
      report.status(undo ? 'Unyank' : 'Yank', describe({ name, version }));
      await (undo ? api.unyank(name, version) : api.yank(name, version, reason));
      statuses.push('done');
    } catch (cause) {
      const goesOn = isOfRange && isAboutVersion(cause);
      const rest = goesOn ? [] : versions.slice(done + 1);
      const action = describeFailed(isOfRange ? { name, version } : null, undo);
      const message = `${action} from the registry at ${registry.host}${describeRest(rest, kind)}`;
      const failure = isSent && cause instanceof TsregError ? new TsregError(message, { cause }) : cause;
      statuses.push(isSent ? statusAfter(failure, signal) : 'pending');
      if (signal.aborted) {
        if (!isCargo) {
          const untouched = versions.slice(isSent ? done + 1 : done).map(describe);
          const lines = [
            ...(isSent ? [`sent, but the outcome is unknown: ${describe({ name, version })}`] : []),
            ...(untouched.length === 0 ? [] : [`not ${kind}ed: ${untouched.join(', ')}`]),
          ];
          report.note(lines.join('\n'));
        }
        return { statuses, failure: new TsregError('interrupted', { code: 'aborted', cause: failure }) };
      }
      if (!(failure instanceof TsregError)) throw failure;
      refusals.push({ name, version, failure });
      if (!goesOn) break;
    }
  }
  const failure = summarize(refusals, { kind, host: registry.host, rest: versions.slice(statuses.length) });
  return { statuses, failure };
}

/** Returns the failed action in cargo's words, with `version` if it is not null. */
function describeFailed(version: CrateVersion | null, undo: boolean): string {
  if (version === null) return undo ? 'failed to undo a yank' : 'failed to yank';
  return `failed to ${undo ? 'undo the yank of' : 'yank'} ${describe(version)}`;
}

/** Returns false if all versions would fail in the same way, for example with a bad token or a busy registry. */
function isAboutVersion(failure: unknown): boolean {
  const response = responseBehind(failure);
  return (
    response !== null && outcomeOf(failure) === 'refused' && ![401, 403, 429, 503].includes(response.status)
  );
}

/**
 * Returns the error for all refusals, with the registry's message or status for each version; null if there are none.
 */
function summarize(
  refusals: readonly RefusedVersion[],
  {
    kind,
    host,
    rest,
  }: { readonly kind: string; readonly host: string; readonly rest: readonly CrateVersion[] },
): TsregError | null {
  const [first, ...others] = refusals;
  if (first === undefined || others.length === 0) return first?.failure ?? null;
  const lines = refusals.map((each) => `\n  ${describe(each)}: ${reasonOf(each.failure)}`);
  return new TsregError(
    `failed to ${kind} ${refusals.length} versions in the registry at ${host}:${lines.join('')}${describeRest(rest, kind)}`,
    { code: first.failure.code },
  );
}

/** Returns the reason as one line. */
function reasonOf(failure: TsregError): string {
  const response = responseBehind(failure);
  return response?.words ?? (response ?? failure).message.split('\n', 1).join('');
}

function describe({ name, version }: CrateVersion): string {
  return `${name}@${version}`;
}

function describeRest(rest: readonly CrateVersion[], verb: string): string {
  if (rest.length === 0) return '';
  return `\n\nnote: the following versions have not been ${verb}ed yet:${rest.map((each) => `\n  ${describe(each)}`).join('')}`;
}
