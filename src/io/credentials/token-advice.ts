/** Messages about missing and rejected tokens, with the command that stores one. */
import type { Config } from '../config/config.ts';
import { tokenVariable } from '../config/credentials.ts';
import { present } from '../../core/errors/assert.ts';
import { type Message, wordingByProgram, type ProgramName } from '../../core/errors/wording.ts';
import { CRATES_IO_NAME } from '../../core/package-id/crates-io.ts';
import { displayRegistryName } from '../../core/package-id/describe.ts';
import { configuredName, isCratesIo, type SourceId } from '../../core/package-id/source-id.ts';
import { formatIndexUrl } from '../../core/package-id/source-url.ts';

/** Why a request needs another token. The text is the start of cargo's message. */
export type TokenProblem = 'no token found' | 'token rejected';

/** The registry that needs a token, and its configuration. */
export interface TokenAdviceInputs {
  readonly config: Config;
  /** Returns true if the providers find a token that `login` stores. */
  readonly usesStoredTokens: () => boolean;
  /** Returns true if the token has no authentication scheme, such as `Bearer`, before it. */
  readonly lacksScheme: () => boolean;
}

/** Returns cargo's message. */
export function tokenAdvice(source: SourceId, problem: TokenProblem, inputs: TokenAdviceInputs): Message {
  return wordingByProgram((program) => adviceOf(source, problem, { ...inputs, program }));
}

/** Returns a hint about getting a token; null if the message says it all. `loginPage` is null if unknown. */
export function missingTokenHint(
  source: SourceId,
  loginPage: string | null,
  { config, usesStoredTokens }: TokenAdviceInputs,
): string | null {
  const args = loginArguments(source, config);
  if (args === null) return null;
  if (loginPage !== null) return `most registries show you a token at ${loginPage}`;
  return usesStoredTokens() ? null : `run \`tsreg login${args}\``;
}

/** Returns the arguments that `login` needs for this registry; null if it has no name. */
function loginArguments(source: SourceId, config: Config): string | null {
  const name = configuredName(source);
  if (!isCratesIo(source)) return name === null ? null : ` --registry ${name}`;
  return config.string('registry.default') === null ? '' : ` --registry ${CRATES_IO_NAME}`;
}

/** Returns cargo's message, with commands of `program`. */
function adviceOf(
  source: SourceId,
  problem: TokenProblem,
  { config, usesStoredTokens, lacksScheme, program }: TokenAdviceInputs & { readonly program: ProgramName },
): string {
  const name = displayRegistryName(source);
  const usesTokens = usesStoredTokens();
  if (isCratesIo(source)) {
    const args = present(loginArguments(source, config), 'the arguments of `login`');
    const variable = usesTokens ? '\nor use environment variable CARGO_REGISTRY_TOKEN' : '';
    return `${problem}, please run \`${program} login${args}\`${variable}`;
  }
  if (configuredName(source) !== null) {
    const advice = usesTokens
      ? `, please run \`${program} login --registry ${name}\`\nor use environment variable ${tokenVariable(name)}`
      : "\nYou may need to log in using this registry's credential provider";
    const note =
      problem === 'token rejected' && lacksScheme()
        ? '\nnote: the token does not include an authentication scheme'
        : '';
    return `${problem} for \`${name}\`${advice}${note}`;
  }
  if (problem === 'token rejected') return `${problem} for \`${name}\``;
  return (
    `${problem} for \`${name}\`\n` +
    "consider setting up an alternate registry in Cargo's configuration\n" +
    'as described by https://doc.rust-lang.org/cargo/reference/registries.html\n\n' +
    `[registries]\nmy-registry = { index = "${formatIndexUrl(source)}" }\n`
  );
}
