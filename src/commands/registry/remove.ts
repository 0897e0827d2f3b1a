/** `registry remove`: removes a registry from a configuration file. */
import { type Config, loadConfig } from '../../io/config/config.ts';
import { loadCredentials, registryCredentials } from '../../io/config/credentials.ts';
import { type Definition, describeDefinition } from '../../io/config/definition.ts';
import { editConfigFile } from '../../io/config/edit-config-file.ts';
import { checkRegistryName, registryIndex } from '../../io/config/registry-index.ts';
import { registryNames } from '../../io/config/registry-tables.ts';
import { asUsageError, TsregError } from '../../core/errors/error.ts';
import { closestNameHint } from '../../core/errors/similar-names.ts';
import { startsWithPath } from '../../core/files/path.ts';
import { CRATES_IO_NAME } from '../../core/package-id/crates-io.ts';
import { SourceTable } from '../../core/package-id/source-table.ts';
import { type OperationContext, reportTo } from '../../core/report/report.ts';
import { removeTomlKey } from '../../core/toml/edit-toml.ts';
import { writeTomlString } from '../../core/toml/write-string.ts';
import { readTables, targetFile } from './target-file.ts';

/** The command-line options of `registry remove`. */
export interface RemoveRegistryOptions {
  readonly config: Config;
  readonly name: string;
  /** True to edit the file in `CARGO_HOME`. */
  readonly isGlobal: boolean;
}

const SILENT = reportTo({});

/**
 * Removes `[registries.NAME]`, and `registry.default` if that names it. Notes a token that stays in the credentials
 * file. Rejects, and changes nothing, if the file does not have the registry.
 */
export async function removeRegistry(
  options: RemoveRegistryOptions,
  context: OperationContext,
): Promise<void> {
  const { config, name } = options;
  const { report } = context;
  asUsageError(() => checkRegistryName(name));
  if (name === CRATES_IO_NAME) {
    throw new TsregError('`crates-io` is built in, so it cannot be removed', { code: 'usage' });
  }
  const path = targetFile(config, options);
  const tables = readTables(path, config);
  const registries = tables.get('registries');
  if (!(registries instanceof Map && registries.has(name))) throw notInFile(options, path);
  const defaults = tables.get('registry');
  const isDefault = defaults instanceof Map && defaults.get('default') === name;
  const remark = storedToken(config, name);
  const edit = (text: string): string => {
    const removed = removeTomlKey(text, ['registries', name]);
    return isDefault ? removeTomlKey(removed, ['registry', 'default']) : removed;
  };
  await editConfigFile(path, edit, { ...context, env: config.env });
  report.status('Removed', `${isDefault ? 'default registry' : 'registry'} \`${name}\` from \`${path}\``);
  if (remark !== null) report.note(remark.text, remark.help);
  noteRemaining(options, context);
}

/** Returns the error for a registry that the file at `path` does not define. */
function notInFile(options: RemoveRegistryOptions, path: string): TsregError {
  const { config, name } = options;
  const definition = config.string(`registries.${name}.index`)?.definition ?? null;
  if (definition !== null) {
    return new TsregError(
      `registry \`${name}\` is not in \`${path}\`, but in ${describeDefinition(definition)}`,
      { code: 'config', hint: removalHint(definition, options) },
    );
  }
  const similar = closestNameHint(name, registryNames(config), 'registry');
  return new TsregError(`registry \`${name}\` is not in the configuration${similar}`, {
    code: 'not-found',
    hint: '`tsreg registry list` shows the registries',
  });
}

/** Returns what to do to remove a registry with this definition. */
function removalHint(definition: Definition, { config, isGlobal, name }: RemoveRegistryOptions): string {
  if (definition.kind === 'environment') return `unset the variable: \`unset ${definition.name}\``;
  if (definition.kind !== 'file') return 'leave out `--config`';
  const isInHome = startsWithPath(definition.path, config.home);
  if (isGlobal && !isInHome) return `leave out \`--global\`: \`tsreg registry remove ${name}\``;
  return isInHome && !isGlobal
    ? `edit the file in \`CARGO_HOME\`: \`tsreg registry remove ${name} --global\``
    : 'go to the folder of that file, or edit it';
}

/** A remark, and what to do about it. */
interface Remark {
  readonly text: string;
  readonly help: string;
}

/**
 * Returns a note about the stored token of a registry, which no command finds without its index. Null without one, and
 * if the registry is invalid: it can be removed too.
 */
function storedToken(config: Config, name: string): Remark | null {
  const withTokens = config.withArguments([]);
  loadCredentials(withTokens, SILENT);
  try {
    return noteOfToken(config, { name, withTokens });
  } catch (error) {
    if (error instanceof TsregError && error.code !== 'bug') return null;
    throw error;
  }
}

function noteOfToken(
  config: Config,
  { name, withTokens }: { readonly name: string; readonly withTokens: Config },
): Remark | null {
  const index = config.string(`registries.${name}.index`);
  if (index === null) return null;
  const source = registryIndex(config, name, new SourceTable());
  const token = registryCredentials(withTokens, source, SILENT)?.token ?? null;
  if (token?.definition.kind !== 'file') return null;
  const setting = `registries.${name}.index=${writeTomlString(index.value)}`;
  return {
    text: `the token of \`${name}\` is still in \`${token.definition.path}\``,
    help: `to remove it, run \`tsreg logout --registry ${name} --config '${setting}'\``,
  };
}

/** Warns if other files still define the registry, or use it by default. */
function noteRemaining({ config, name }: RemoveRegistryOptions, { report }: OperationContext): void {
  const { cwd, env } = config;
  const after = loadConfig({ cwd, env, report: SILENT });
  const index = after.string(`registries.${name}.index`);
  if (index !== null) {
    report.warning(`registry \`${name}\` is still in ${describeDefinition(index.definition)}`);
    return;
  }
  const defaultName = after.string('registry.default');
  if (defaultName?.value !== name) return;
  report.warning(
    `\`registry.default\` in ${describeDefinition(defaultName.definition)} still is \`${name}\``,
  );
}
