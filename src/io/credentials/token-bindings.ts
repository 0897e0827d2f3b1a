/**
 * The index that each stored token is for. cargo finds tokens by the name of a registry, and a file of a project may
 * give that name to another index. So `login` stores, next to the credentials file, the index of each token.
 */
import { readFileSync } from 'node:fs';
import type { Config } from '../config/config.ts';
import { describeDefinition } from '../config/definition.ts';
import { namesOfRegistry } from '../config/registry-tables.ts';
import type { Secret } from '../config/secret.ts';
import { errnoOf, osError } from '../disk/errno.ts';
import { writeFileAtomic } from '../disk/write-file-atomic.ts';
import { TsregError, withContextAsync } from '../../core/errors/error.ts';
import { joinPath } from '../../core/files/path.ts';
import { array, decodeOrNull, field, object, string } from '../../core/json/decode.ts';
import { CRATES_IO_INDEX } from '../../core/package-id/crates-io.ts';
import { configuredName, isCratesIo, type SourceId } from '../../core/package-id/source-id.ts';
import { formatIndexUrl } from '../../core/package-id/source-url.ts';
import { sha256Hex } from '../disk/sha256.ts';

const OWNER_ONLY = 0o600;

/** A token, and an index that may receive it. */
interface Binding {
  readonly index: string;
  /** Hex SHA-256 of the token, so that a token that cargo stored later is not taken for this one. */
  readonly sha256: string;
}

/** A token, and its source as messages name it. */
export interface FoundToken {
  readonly token: Secret;
  readonly origin: string;
}

/**
 * Returns the error for a token that `login` stored only for other registries than `source`; else null. Throws if the
 * bindings cannot be read.
 */
export function tokenBindingProblem(
  source: SourceId,
  { token, origin }: FoundToken,
  config: Config,
): TsregError | null {
  const sha256 = digestOf(token);
  const bindings = readBindings(config).filter((binding) => binding.sha256 === sha256);
  const index = indexOf(source);
  const [first] = bindings;
  if (first === undefined || bindings.some((binding) => binding.index === index)) return null;
  const name = isCratesIo(source)
    ? null
    : (configuredName(source) ?? namesOfRegistry(config, source)[0] ?? null);
  const place = name === null ? null : config.string(`registries.${name}.index`);
  const origins =
    place === null
      ? `the token came from ${origin}`
      : `the index came from ${describeDefinition(place.definition)}, and the token from ${origin}`;
  const login = name === null ? 'tsreg login' : `tsreg login --registry ${name}`;
  return new TsregError(
    `the stored token is for \`${first.index}\`, and tsreg does not send it to \`${formatIndexUrl(source)}\``,
    {
      code: 'auth',
      hint: `${origins}; if this index is right, run \`${login}\` to store a token for it`,
    },
  );
}

/** Binds `token` to `source`, and replaces its earlier binding. Null only removes that. */
export async function bindToken(source: SourceId, token: Secret | null, config: Config): Promise<void> {
  const before = readBindings(config);
  const index = indexOf(source);
  const tokens = before.filter((binding) => binding.index !== index);
  if (token !== null) tokens.push({ index, sha256: digestOf(token) });
  else if (tokens.length === before.length) return;
  const path = bindingsPath(config);
  await withContextAsync(`failed to write to \`${path}\``, async () => {
    try {
      await writeFileAtomic(path, `${JSON.stringify({ version: 1, tokens }, null, 2)}\n`, {
        mode: OWNER_ONLY,
      });
    } catch (error) {
      throw osError(error);
    }
  });
}

function bindingsPath({ home }: Config): string {
  return joinPath(home, 'tsreg/token-bindings.json');
}

/** Returns an index URL without trailing slash; the same for crates.io over any protocol. */
function indexOf(source: SourceId): string {
  return isCratesIo(source) ? CRATES_IO_INDEX : source.canonicalUrl;
}

function digestOf(token: Secret): string {
  return sha256Hex(token.expose());
}

/** Reads all bindings. Throws if the file is not readable: otherwise the next write would lose its content. */
function readBindings(config: Config): readonly Binding[] {
  const path = bindingsPath(config);
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    const errno = errnoOf(error);
    if (errno === 'ENOENT' || errno === 'ENOTDIR') return [];
    throw new TsregError(`failed to read \`${path}\``, { cause: osError(error) });
  }
  const bindings = parseBindings(text);
  if (bindings !== null) return bindings;
  throw new TsregError(`\`${path}\` does not say which index each token is for`, {
    code: 'config',
    hint: 'remove the file, and store the tokens again with `tsreg login`',
  });
}

/** Returns null unless the text has the form that `bindToken` writes. */
function parseBindings(text: string): readonly Binding[] | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  return decodeOrNull(decodeBindings, value);
}

const decodeBindings = field(
  'tokens',
  array(object<Binding>({ index: field('index', string), sha256: field('sha256', string) })),
);
