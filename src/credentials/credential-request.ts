/** What a credential provider is asked and what it answers. Cargo Book: Credential Provider Protocol. */
import type { Config } from '../config/config.ts';
import type { RegistryCredentialConfig } from '../config/credentials.ts';
import type { Secret } from '../config/secret.ts';
import type { SourceId } from '../package-id/source-id.ts';
import type { OperationContext } from '../report/report.ts';

/** What a token is wanted for. `cksum` is the SHA-256 of the archive in hexadecimal digits. */
export type CredentialOperation =
  | { readonly kind: 'read' }
  | { readonly kind: 'publish'; readonly name: string; readonly vers: string; readonly cksum: string }
  | { readonly kind: 'yank' | 'unyank'; readonly name: string; readonly vers: string }
  | { readonly kind: 'owners'; readonly name: string };

/** Rejects for a token that must not be stored. */
export type TokenCheck = (token: Secret) => Promise<void>;

/** What a provider is asked to do. */
export type CredentialAction =
  | { readonly kind: 'get'; readonly operation: CredentialOperation }
  | {
      readonly kind: 'login';
      /** Null to ask the user. */
      readonly token: Secret | null;
      readonly loginUrl: string | null;
      readonly dialog: LoginDialog;
      /** Called with the token before it is stored, wherever it is known here; its rejection keeps the store as it is. */
      readonly check?: TokenCheck;
    }
  | { readonly kind: 'logout'; readonly dialog: LoginDialog };

/** Which registry a token is for. */
export interface CredentialSubject {
  readonly source: SourceId;
  /** With `sparse+`. */
  readonly indexUrl: string;
  /** As configured; null if it has no name. */
  readonly name: string | null;
  /** Of the answer that asked for a token: `name: value`. */
  readonly headers: readonly string[];
}

/** One question to a provider. */
export interface CredentialRequest {
  readonly action: CredentialAction;
  readonly subject: CredentialSubject;
  /** Of the provider's configuration, then those of the command line. */
  readonly args: readonly string[];
}

/** A token, and for how long and for what it may be used again in this process. */
export interface ProvidedToken {
  readonly kind: 'get';
  readonly token: Secret;
  readonly cache: 'never' | 'session' | 'expires' | 'unknown';
  /** Seconds since 1970; only with `expires`. */
  readonly expiration: number | null;
  /** True if the token serves other operations than the one it was asked for. */
  readonly isOperationIndependent: boolean;
}

/** What a provider answers. `not-found` and `url-not-supported` let the next one be asked. */
export type CredentialAnswer =
  | ProvidedToken
  | { readonly kind: 'login' | 'logout' | 'unknown' }
  | { readonly kind: 'not-found' | 'url-not-supported' };

/** How a provider that is built in talks to the person at the keyboard. */
export interface LoginDialog {
  /** Prints a line to stderr; it is said with `--quiet`, too. */
  say(line: string): void;
  /** The next line of stdin without white space around it, not shown while it is typed. Empty at the end. */
  readSecretLine(): Promise<string>;
}

/** What providers have beside the request. */
export interface ProviderContext extends OperationContext {
  readonly config: Config;
  /** What is configured for the registry; null if nothing is. */
  readonly registry: RegistryCredentialConfig | null;
}
