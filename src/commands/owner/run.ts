/** `owner`: the users who may publish versions of a crate. Cargo Book: cargo owner. */
import { debugList } from '../../core/errors/debug-text.ts';
import { TsregError, withContextAsync } from '../../core/errors/error.ts';
import { errorLines } from '../../core/errors/error-lines.ts';
import { displaySource } from '../../core/package-id/describe.ts';
import type { CrateOwner } from '../../core/protocol/api-responses.ts';
import type { OperationContext } from '../../core/report/report.ts';
import { showText } from '../../io/web-api/sanitized-text.ts';
import { confirmPlan, type Consent } from '../shared/registry/confirm-plan.ts';
import { checkCrateName, namedCrates } from '../shared/registry/named-crates.ts';
import {
  type OpenedRegistry,
  openRegistry,
  type RegistryCommandOptions,
} from '../shared/registry/open-registry.ts';
import { type RegistryEntry, registryEntry } from '../shared/registry/registry-document.ts';
import { type ChangeStatus, statusAfter } from '../shared/registry/request-outcome.ts';
import { chooseRegistry, type RegistryFlags } from '../shared/registry/select-registry.ts';

/** The command-line options of `owner`. */
export interface OwnerOptions extends RegistryCommandOptions {
  readonly registry: RegistryFlags;
  /** Empty for the package of the working folder. */
  readonly crates: readonly string[];
  /** True for every member that may be published. */
  readonly workspace: boolean;
  /** Logins. For each crate, one request adds all of these, then another removes all of `remove`. */
  readonly add: readonly string[];
  readonly remove: readonly string[];
  /** True to list the owners after these changes. */
  readonly list: boolean;
  readonly consent: Consent;
}

/** The document of `owner --json`. */
export interface OwnerDocument {
  /** Version of this format. */
  readonly version: 1;
  readonly registry: RegistryEntry;
  /** All selected crates, in order. */
  readonly crates: readonly OwnerEntry[];
}

/** The result for one crate. */
export interface OwnerEntry {
  readonly name: string;
  readonly status: ChangeStatus;
  /** Logins that the registry accepted. It may only have invited them, as its message says. */
  readonly added: readonly string[];
  /** The registry's message about `added`; null if there is none, or if nothing was added. */
  readonly message: string | null;
  readonly removed: readonly string[];
  /** null if they were not requested, or if the request failed. */
  readonly owners: readonly CrateOwner[] | null;
  /** Why it failed: the first line of the message, and of each cause. Null if it did not. */
  readonly error: string | null;
}

/** The result of `owner`. */
export interface OwnerResult {
  readonly document: OwnerDocument;
  /** The error that stopped the run; null if there is none. */
  readonly failure: TsregError | null;
}

/**
 * Adds, removes and lists the owners of one crate after the other. Stops at the first failure. Rejects if nothing was
 * requested at all.
 */
export async function owner(options: OwnerOptions, context: OperationContext): Promise<OwnerResult> {
  const { config, consent, workspace, add, remove } = options;
  const choice = chooseRegistry(options.registry, config);
  const names = await namedCrates({ names: options.crates, workspace }, config, context);
  if (!options.isCargo) names.forEach(checkCrateName);
  const registry = await openRegistry({ ...options, choice, refreshes: true, needsToken: true }, context);
  try {
    if (add.length + remove.length > 0 && (names.length > 1 || workspace)) {
      const count = names.length === 1 ? '1 crate' : `${names.length} crates`;
      const summary = `change the owners of ${count} in ${displaySource(registry.source.original)}`;
      await confirmPlan(
        { summary, steps: names.map((name) => describeStep(name, options)) },
        consent,
        context,
      );
    }
    const crates: OwnerEntry[] = [];
    for (const name of names) {
      const following = names.slice(crates.length + 1);
      const { entry, failure } = await changeOwners(name, { options, registry, following }, context);
      if (failure !== null && crates.length === 0 && entry.status === 'pending') throw failure;
      crates.push(entry);
      if (failure !== null) {
        crates.push(...following.map((unchanged) => entryOf(unchanged, 'pending')));
        return { document: documentOf(registry, crates), failure };
      }
    }
    return { document: documentOf(registry, crates), failure: null };
  } finally {
    await registry.close();
  }
}

function documentOf(registry: OpenedRegistry, crates: readonly OwnerEntry[]): OwnerDocument {
  return { version: 1, registry: registryEntry(registry), crates };
}

/** Returns the entry of a crate without any change. */
function entryOf(name: string, status: ChangeStatus): OwnerEntry {
  return { name, status, added: [], message: null, removed: [], owners: null, error: null };
}

/** Makes the requests for one crate, up to the first failure. */
async function changeOwners(
  name: string,
  {
    options: { add, remove, list, isCargo },
    registry,
    following,
  }: {
    readonly options: OwnerOptions;
    readonly registry: OpenedRegistry;
    /** The crates after this one, which a failure leaves unchanged. */
    readonly following: readonly string[];
  },
  { report, signal }: OperationContext,
): Promise<{ readonly entry: OwnerEntry; readonly failure: TsregError | null }> {
  const place = `crate \`${name}\` on registry at ${registry.host}${describeUnchanged(following)}`;
  let entry = entryOf(name, 'pending');
  // True from the start of a request to change owners until its outcome is known.
  let isChanging = false;
  try {
    const api = await registry.api({ kind: 'owners', name });
    entry = { ...entry, status: 'failed' };
    if (add.length > 0) {
      isChanging = true;
      const message = await withContextAsync(`failed to invite owners to ${place}`, () =>
        api.addOwners(name, add),
      );
      isChanging = false;
      entry = { ...entry, added: add, message };
      const text = message ?? `adding ${debugList(add)} to crate ${name}`;
      report.status('Owner', showText(text, { isWhole: isCargo, secret: null }));
    }
    if (remove.length > 0) {
      report.status('Owner', `removing ${debugList(remove)} from crate ${name}`);
      isChanging = true;
      await withContextAsync(`failed to remove owners from ${place}`, () => api.removeOwners(name, remove));
      isChanging = false;
      entry = { ...entry, removed: remove };
    }
    if (list) {
      const owners = await withContextAsync(`failed to list owners of ${place}`, () => api.listOwners(name));
      entry = { ...entry, owners };
    }
  } catch (error) {
    entry = { ...entry, error: errorLines(error) };
    if (isChanging) {
      const status = statusAfter(error, signal);
      entry = { ...entry, status: status === 'pending' && entry.added.length > 0 ? 'failed' : status };
    }
    if (signal.aborted) {
      if (!isCargo && add.length + remove.length > 0) report.note(describeInterruption(name, following));
      return { entry, failure: new TsregError('interrupted', { code: 'aborted', cause: error }) };
    }
    if (!(error instanceof TsregError)) throw error;
    return { entry, failure: error };
  }
  return { entry: { ...entry, status: 'done' }, failure: null };
}

function describeInterruption(name: string, following: readonly string[]): string {
  const unchanged = following.length === 0 ? '' : `\nnot changed: ${following.join(', ')}`;
  return `the outcome is unknown: ${name}${unchanged}`;
}

function describeStep(name: string, { add, remove }: OwnerOptions): string {
  const parts = [
    ...(add.length === 0 ? [] : [`add ${debugList(add)}`]),
    ...(remove.length === 0 ? [] : [`remove ${debugList(remove)}`]),
  ];
  return `${name}: ${parts.join(', ')}`;
}

function describeUnchanged(names: readonly string[]): string {
  if (names.length === 0) return '';
  const lines = names.map((name) => `\n  ${name}`);
  return `\n\nnote: the following crates are unchanged:${lines.join('')}`;
}
