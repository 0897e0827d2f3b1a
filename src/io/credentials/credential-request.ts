/** Requests to credential providers and their responses. Cargo Book: Credential Provider Protocol. */
import type { Config } from '../config/config.ts';
import type { RegistryCredentialConfig } from '../config/credentials.ts';
import type { Secret } from '../config/secret.ts';
import type { SourceId } from '../../core/package-id/source-id.ts';
import type { OperationContext } from '../../core/report/report.ts';

/** The purpose of a token. `cksum` is the hexadecimal SHA-256 of the archive. */
export type CredentialOperation =
  | { readonly kind: 'read' }
  | { readonly kind: 'publish'; readonly name: string; readonly vers: string; readonly cksum: string }
  | { readonly kind: 'yank' | 'unyank'; readonly name: string; readonly vers: string }
  | { readonly kind: 'owners'; readonly name: string };

/** A check that rejects if the token must not be stored. */
export type TokenCheck = (token: Secret) => Promise<void>;

/** An action of a credential provider. */
export type CredentialAction =
  | { readonly kind: 'get'; readonly operation: CredentialOperation }
  | {
      readonly kind: 'login';
      /** Null to prompt the user. */
      readonly token: Secret | null;
      readonly loginUrl: string | null;
      readonly dialog: LoginDialog;
      /** Called with the token before it is stored, if the token is known here. If it rejects, nothing is stored. */
      readonly check?: TokenCheck;
    }
  | { readonly kind: 'logout'; readonly dialog: LoginDialog };

/** The registry that a token is for. */
export interface CredentialSubject {
  readonly source: SourceId;
  /** Begins with `sparse+` for a sparse index. */
  readonly indexUrl: string;
  /** The configured name; null if there is none. */
  readonly name: string | null;
  /** Headers of the response that required a token, as `name: value`. */
  readonly headers: readonly string[];
}

/** A request to a credential provider. */
export interface CredentialRequest {
  readonly action: CredentialAction;
  readonly subject: CredentialSubject;
  /** The arguments of the provider's configuration, then those of the command line. */
  readonly args: readonly string[];
}

/** A token, and the conditions for its reuse in this process. */
export interface ProvidedToken {
  readonly kind: 'get';
  readonly token: Secret;
  /** `unknown`: a value of a later protocol, which allows no reuse. */
  readonly cache: 'never' | 'session' | 'expires' | 'unknown';
  /** Seconds since 1970; null unless `cache` is `expires`. */
  readonly expiration: number | null;
  /** True if the token is valid for any operation, not only for the requested one. */
  readonly isOperationIndependent: boolean;
}

/**
 * A provider's response. After `not-found` and `url-not-supported`, the next provider gets the request. `unknown` is a
 * response of a later protocol.
 */
export type CredentialResponse =
  | ProvidedToken
  | { readonly kind: 'login' | 'logout' | 'unknown' }
  | { readonly kind: 'not-found' | 'url-not-supported' };

/** The dialog of a built-in provider with the user. */
export interface LoginDialog {
  /** Prints a line to stderr, with `--quiet` too. */
  say(line: string): void;
  /** Reads the next line of stdin, trimmed and without echo. Empty at the end of stdin. */
  readSecretLine(): Promise<string>;
}

/** The environment of a provider. */
export interface ProviderContext extends OperationContext {
  readonly config: Config;
  /** The configuration of the registry; null if there is none. */
  readonly registry: RegistryCredentialConfig | null;
}
