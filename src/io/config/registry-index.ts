/** Registries by name. Cargo Book: Registries, "Using an Alternate Registry". */
import { Wording } from '../../core/errors/wording.ts';
import { TsregError } from '../../core/errors/error.ts';
import { CRATES_IO_NAME } from '../../core/package-id/crates-io.ts';
import type { SourceId } from '../../core/package-id/source-id.ts';
import type { SourceTable } from '../../core/package-id/source-table.ts';
import { parseUrl, pathToUrl } from '../../core/package-id/url.ts';
import type { Config } from './config.ts';
import { describeDefinition, resolveLocatedPath } from './definition.ts';

/** Returns the registry called `name`. Throws `config` if its index is not configured. */
export function registryIndex(config: Config, name: string, sources: SourceTable): SourceId {
  return sources.intern({ ...unnamedRegistryIndex(config, name, sources), registryName: name });
}

/** Like `registryIndex`, but without the name for messages. */
export function unnamedRegistryIndex(config: Config, name: string, sources: SourceTable): SourceId {
  if (name === CRATES_IO_NAME) return cratesIoSource(config, sources);
  return sources.forRegistryIndex(registryIndexUrl(config, name));
}

/**
 * Returns the index URL of the registry called `name` in the form that archives contain, including `sparse+`. Throws
 * `config` if it is not configured. Not for crates.io, which has no configured URL.
 */
export function registryIndexUrl(config: Config, name: string): string {
  checkRegistryName(name);
  const index = config.string(`registries.${name}.index`);
  if (index === null) throw unknownRegistry(config, name);
  try {
    // A relative `file:` URL starts from its origin. `x` stands for the file that a base URL ends with.
    return parseIndexUrl(index.value, pathToUrl(resolveLocatedPath({ ...index, value: 'x' }, config.cwd)));
  } catch (cause) {
    const place = describeDefinition(index.definition);
    throw new TsregError(`invalid index URL for registry \`${name}\` defined in ${place}`, { cause });
  }
}

/**
 * Returns the normalized URL of an index, with `sparse+` for a sparse one. `base` resolves a relative `file:` URL. Throws
 * if it is not a URL or has a password.
 */
export function parseIndexUrl(text: string, base?: string): string {
  try {
    // Rejects a bare path, which would be valid relative to a base.
    parseUrl(text);
  } catch (error) {
    if (!(error instanceof TsregError) || !hasPassword(text)) throw error;
    // The error of an invalid URL contains the password, as in cargo.
    throw new TsregError(new Wording(NO_PASSWORDS, error.message), { code: error.code });
  }
  const url = parseUrl(text, base);
  if (hasPassword(url)) throw invalid(NO_PASSWORDS);
  return url;
}

const NO_PASSWORDS = 'registry URLs may not contain passwords';

/** Returns an index URL, which may be invalid, with REDACTED in place of a user and a password. */
export function hidePassword(text: string): string {
  return text.replace(/^([^:]+:[/\\]*)[^/?#]*:[^/?#]*@/, '$1REDACTED@');
}

/** Returns crates.io. Throws `config` if the configuration sets `registry.index`. */
function cratesIoSource(config: Config, sources: SourceTable): SourceId {
  checkRegistryIndexUnset(config);
  return sources.cratesIo();
}

/**
 * Returns the actual index of crates.io: the sparse one, or the git one if `registries.crates-io.protocol` is `git`.
 */
export function cratesIoIndex(config: Config, sources: SourceTable): SourceId {
  const protocol = config.string(`registries.${CRATES_IO_NAME}.protocol`);
  if (protocol !== null && protocol.value !== 'sparse' && protocol.value !== 'git') {
    const place = describeDefinition(protocol.definition);
    throw invalid(`unsupported registry protocol \`${protocol.value}\` (defined in ${place})`);
  }
  checkRegistryIndexUnset(config);
  // cargo's own tests use this variable to substitute another registry.
  const substitute = config.env['__CARGO_TEST_CRATES_IO_URL_DO_NOT_USE_THIS'];
  if (substitute !== undefined) return sources.forRegistryIndex(substitute, CRATES_IO_NAME);
  return protocol?.value === 'git' ? sources.cratesIo() : sources.cratesIoSparse();
}

/** Throws `config` if the configuration tries to replace crates.io with `registry.index`. */
export function checkRegistryIndexUnset(config: Config): void {
  if (config.string('registry.index') === null) return;
  throw invalid(
    'the `registry.index` config value is no longer supported\n' +
      'Use `[source]` replacement to alter the default index for crates.io.',
  );
}

/** Throws `config` unless `name` is a valid registry name: an identifier that may contain `-`. */
export function checkRegistryName(name: string): void {
  if (name === '') throw invalid('registry name cannot be empty');
  const [first = '', ...others] = name;
  const refuse = (character: string, reason: string): TsregError =>
    invalid(`invalid character \`${character}\` in registry name: \`${name}\`, ${reason}`);
  if (/[0-9]/.test(first)) throw refuse(first, 'the name cannot start with a digit');
  if (!/[\p{XID_Start}_]/u.test(first)) {
    throw refuse(first, 'the first character must be a Unicode XID start character (most letters or `_`)');
  }
  const invalidCharacter = others.find((character) => !/[\p{XID_Continue}-]/u.test(character));
  if (invalidCharacter !== undefined) {
    throw refuse(
      invalidCharacter,
      'characters must be Unicode XID characters (numbers, `-`, `_`, or most letters)',
    );
  }
}

/** Returns cargo's error. Its hint names the configured registries. */
function unknownRegistry(config: Config, name: string): TsregError {
  const registryNames = [...(config.table('registries')?.keys() ?? [])].filter(
    (configured) => configured !== CRATES_IO_NAME && /^[\w-]+$/.test(configured),
  );
  const others =
    registryNames.length === 0
      ? ''
      : `. Configured registries: ${registryNames.map((configured) => `\`${configured}\``).join(', ')}`;
  const chosen = config.string('registry.default');
  const origin =
    chosen?.value === name
      ? `\`${name}\` is \`registry.default\` in ${describeDefinition(chosen.definition)}; `
      : '';
  return new TsregError(`registry index was not found in any configuration: \`${name}\``, {
    code: 'config',
    hint: `${origin}add it with \`tsreg registry add ${name} URL\`${others}`,
  });
}

function hasPassword(url: string): boolean {
  const authority = /^[^:]+:\/\/([^/?#]*)@/.exec(url)?.[1];
  return authority?.includes(':') === true;
}

function invalid(message: string): TsregError {
  return new TsregError(message, { code: 'config' });
}
