/** `registry add`: adds a registry to a configuration file. */
import { type Config, loadConfig } from '../../io/config/config.ts';
import { loadCredentials } from '../../io/config/credentials.ts';
import { describeDefinition } from '../../io/config/definition.ts';
import { editConfigFile } from '../../io/config/edit-config-file.ts';
import { checkRegistryName, hidePassword, parseIndexUrl } from '../../io/config/registry-index.ts';
import { checkSparseIndexUrl } from '../../io/sources/sparse-index.ts';
import { namesOfRegistry } from '../../io/config/registry-tables.ts';
import { asUsageError, TsregError, withContext } from '../../core/errors/error.ts';
import { CRATES_IO_NAME } from '../../core/package-id/crates-io.ts';
import type { SourceId } from '../../core/package-id/source-id.ts';
import { SourceTable } from '../../core/package-id/source-table.ts';
import { type OperationContext, reportTo } from '../../core/report/report.ts';
import { setTomlString } from '../../core/toml/edit-toml.ts';
import { writeTomlKey, writeTomlString } from '../../core/toml/write-string.ts';
import { openProbe, probeIndex } from '../shared/registry/probe-index.ts';
import { findTokenOrigin } from '../shared/registry/token-origin.ts';
import { type AccessFlags, offlineFlag } from '../shared/workspace/access-flags.ts';
import { targetFile } from './target-file.ts';

/** The command-line options of `registry add`. */
export interface AddRegistryOptions extends AccessFlags {
  readonly config: Config;
  readonly name: string;
  readonly url: string;
  /** True to also set `registry.default`. */
  readonly isDefault: boolean;
  /** True to edit the file in `CARGO_HOME`. */
  readonly isGlobal: boolean;
  /** True to replace another index. */
  readonly isForced: boolean;
  /** True to request the index first, unless the network is forbidden. */
  readonly isChecked: boolean;
  /** Verbosity of child programs that write to the user's terminal. */
  readonly verbosity: 'quiet' | 'normal' | 'verbose';
}

/** The result of `registry add`. */
export interface AddedRegistry {
  /** True if the user need not log in: there is a token, or a provider that may have one. */
  readonly hasToken: boolean;
}

/**
 * Checks the index and writes `[registries.NAME]`. Rejects, and writes nothing, if the name or the URL is invalid, if
 * the name has another index, or if the index cannot be read.
 */
export async function addRegistry(
  options: AddRegistryOptions,
  context: OperationContext,
): Promise<AddedRegistry> {
  const { config, name, url, isDefault, isChecked } = options;
  const { report } = context;
  const source = checkRegistry(options);
  const path = targetFile(config, options);
  checkConflict(options, path);
  // Tokens are found by the name of a configured registry.
  const setting = `registries.${writeTomlKey(name)}.index = ${writeTomlString(url)}`;
  const withRegistry = config.withArguments([setting]);
  checkOnlyName(source, { name, config: withRegistry });
  loadCredentials(withRegistry, report);
  const hasToken = findTokenOrigin(withRegistry, source, reportTo({})) !== null;
  if (isChecked && offlineFlag(options) === null) {
    await checkIndex(source, { ...options, config: withRegistry }, context);
  }
  let isChanged = false;
  const edit = (text: string): string => {
    const added = setTomlString(text, { path: ['registries', name, 'index'], value: url });
    const edited = isDefault ? setTomlString(added, { path: ['registry', 'default'], value: name }) : added;
    isChanged = edited !== text;
    return edited;
  };
  await editConfigFile(path, edit, { ...context, env: config.env });
  const role = isDefault ? 'default registry' : 'registry';
  report.status(isChanged ? 'Added' : 'Unchanged', `${role} \`${name}\` in \`${path}\``);
  warnIfOverridden(options, context);
  return { hasToken };
}

/** Returns the registry to add. Throws `usage` if its name or its URL is invalid. */
function checkRegistry({ name, url }: AddRegistryOptions): SourceId {
  asUsageError(() => checkRegistryName(name));
  if (name === CRATES_IO_NAME) {
    throw new TsregError('`crates-io` is built in, so it cannot be added', {
      code: 'usage',
      hint: 'to read crates.io from another server, set `replace-with` in `[source.crates-io]`',
    });
  }
  const read = (): SourceId => {
    const source = new SourceTable().forRegistryIndex(parseIndexUrl(url), name);
    checkSparseIndexUrl(source);
    if (/^(?:sparse\+https?|https?|ssh|git|file):/i.test(url)) return source;
    throw new TsregError(`unsupported protocol in \`${url}\``, { code: 'usage' });
  };
  return asUsageError(() =>
    withContext(`invalid index URL for registry \`${name}\``, read, {
      hint: 'an index has a URL such as `sparse+https://HOST/PATH/`, or that of a git repository',
    }),
  );
}

/** Throws `config` if the name has another index, which the user does not want to replace or which would win. */
function checkConflict({ config, name, url, isForced }: AddRegistryOptions, path: string): void {
  const existing = config.string(`registries.${name}.index`);
  if (existing === null || existing.value === url) return;
  const isInFile = existing.definition.kind === 'file';
  if (isForced && isInFile) return;
  const place = describeDefinition(existing.definition);
  const index = hidePassword(existing.value);
  throw new TsregError(`registry \`${name}\` already has the index \`${index}\` in ${place}`, {
    code: 'config',
    hint: isInFile
      ? `choose another name, or pass \`--force\` to set the new index in \`${path}\``
      : `${place} wins over files: choose another name, or remove it`,
  });
}

/** Throws `config` if another registry has the same index: then no command could find the token of either. */
function checkOnlyName(
  source: SourceId,
  { name, config }: { readonly name: string; readonly config: Config },
): void {
  const names = namesOfRegistry(config, source);
  const other = names.find((each) => each !== name);
  if (names.length < 2 || other === undefined) return;
  const existing = config.string(`registries.${other}.index`);
  const place = existing === null ? '' : `, in ${describeDefinition(existing.definition)}`;
  throw new TsregError(`registry \`${other}\` already has this index${place}`, {
    code: 'config',
    hint: `use \`--registry ${other}\`, or remove \`${other}\` first`,
  });
}

/** Throws unless the index can be read. A registry that requires a token counts as readable. */
async function checkIndex(
  source: SourceId,
  options: AddRegistryOptions,
  context: OperationContext,
): Promise<void> {
  const surroundings = openProbe(options, context);
  try {
    await probeIndex(source, surroundings);
  } catch (cause) {
    context.signal.throwIfAborted();
    if (cause instanceof TsregError && cause.code === 'auth') {
      context.report.note('the registry requires a token, also for reading', cause.hint ?? undefined);
      return;
    }
    const isGit = source.kind === 'registry';
    throw new TsregError(`cannot read the index of registry \`${options.name}\`, so nothing was changed`, {
      cause,
      hint: isGit
        ? 'the URL of an index that is not a git repository begins with `sparse+`'
        : 'check the URL, or pass `--no-check` to add the registry anyway',
    });
  } finally {
    await surroundings.access.close();
  }
}

/** Warns if a file nearer than the edited one sets another index or default. */
function warnIfOverridden(
  { config, name, url, isDefault }: AddRegistryOptions,
  { report }: OperationContext,
): void {
  const { cwd, env } = config;
  const after = loadConfig({ cwd, env, report: reportTo({}) });
  const settings = [
    [`registries.${name}.index`, url],
    ...(isDefault ? [['registry.default', name] as const] : []),
  ] as const;
  for (const [key, value] of settings) {
    const winner = after.string(key);
    if (winner === null || winner.value === value) continue;
    report.warning(
      `in this folder, \`${key}\` is \`${hidePassword(winner.value)}\`: ${describeDefinition(winner.definition)} wins`,
    );
  }
}
