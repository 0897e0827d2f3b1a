/** `registry list`: the registries of the configuration. */
import type { Config } from '../../io/config/config.ts';
import { loadCredentials } from '../../io/config/credentials.ts';
import type { Definition } from '../../io/config/definition.ts';
import { TsregError } from '../../core/errors/error.ts';
import { formatIndexUrl } from '../../core/package-id/source-url.ts';
import { SourceTable } from '../../core/package-id/source-table.ts';
import { type OperationContext, reportTo } from '../../core/report/report.ts';
import {
  type ConfiguredRegistry,
  configuredRegistries,
  defaultRegistry,
} from '../shared/registry/configured-registries.ts';
import { findTokenOrigin } from '../shared/registry/token-origin.ts';

/** The document of `registry list --json`. */
export interface RegistryListDocument {
  /** Version of this format. */
  readonly version: 1;
  /** crates.io first, the others by name. */
  readonly registries: readonly RegistryListEntry[];
}

/** One registry of the configuration. Exactly one of `index` and `error` is null. */
export interface RegistryListEntry {
  readonly name: string;
  /** As in the configuration: `sparse+https://…`, or the URL of a git repository. */
  readonly index: string | null;
  /** True if commands use it without `--registry`. */
  readonly default: boolean;
  /** The origin of the index; null for crates.io, which is built in. */
  readonly origin: Origin | null;
  /** The origin of the token; null if there is none. */
  readonly token: Origin | null;
  /** The reason why it cannot be used. */
  readonly error: string | null;
}

/** The origin of a setting: exactly one field is not null, except for a value of `--config`. */
export interface Origin {
  /** Absolute path of a file. */
  readonly file: string | null;
  /** Name of an environment variable. */
  readonly variable: string | null;
  /** A credential provider, which may have no token. */
  readonly provider: string | null;
}

/** Returns the registries. Warns if the default one does not exist. Throws `config` if a file cannot be read. */
export function listRegistries(
  config: Config,
  { report }: Pick<OperationContext, 'report'>,
): RegistryListDocument {
  // The tokens of the credentials file must not define registries.
  const withTokens = config.withArguments([]);
  loadCredentials(withTokens, report);
  const registries = configuredRegistries(config, new SourceTable());
  const defaultName = defaultRegistry(config);
  if (!registries.some(({ isDefault }) => isDefault)) {
    report.warning({
      title: `\`registry.default\` is \`${defaultName}\`, which is not a registry of the configuration`,
      help: `run \`tsreg registry add ${defaultName} URL\``,
    });
  }
  return { version: 1, registries: registries.map((registry) => entryOf(registry, withTokens)) };
}

function entryOf(registry: ConfiguredRegistry, config: Config): RegistryListEntry {
  const { name, isDefault, definition, source, problem } = registry;
  const entry = {
    name,
    index: source === null ? null : formatIndexUrl(source.actual),
    default: isDefault,
    origin: definition === null ? null : originOf(definition),
    token: null,
    error: problem === null ? null : messageOf(problem),
  };
  if (source === null) return entry;
  try {
    const origin = findTokenOrigin(config, source.original, reportTo({}));
    if (origin === null) return entry;
    const token =
      origin.kind === 'provider'
        ? { file: null, variable: null, provider: origin.provider }
        : originOf(origin.definition);
    return { ...entry, token };
  } catch (error) {
    if (!(error instanceof TsregError)) throw error;
    return { ...entry, index: null, error: messageOf(error) };
  }
}

function originOf(definition: Definition): Origin {
  return {
    file: 'path' in definition ? definition.path : null,
    variable: definition.kind === 'environment' ? definition.name : null,
    provider: null,
  };
}

/** Returns the message of an error and its causes on one line. */
function messageOf(error: TsregError): string {
  return error.cause instanceof TsregError ? `${error.message}: ${messageOf(error.cause)}` : error.message;
}
