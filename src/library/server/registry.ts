/// <reference lib="esnext.disposable" preserve="true" />
/** The options and the interface of a registry. */
import type { LogValues } from '../../server/shared/log.ts';
import type { TokenScope } from '../../server/store/values.ts';
import { FUNCTION, optional, type OptionChecks, SWITCH } from '../option-checks.ts';

/** Options of every registry. */
export interface RegistryServerOptions {
  /**
   * The folder of the registry, which is created if it does not exist. Relative to the working folder of the process. By
   * default it is a temporary folder, which `close` deletes.
   */
  readonly folder?: string | undefined;
  /** Requires a token to read the index and crates, too. */
  readonly authRequired?: boolean | undefined;
  /** Accepts only crates that crates.io would accept. */
  readonly strict?: boolean | undefined;
  /**
   * Receives the events that `tsreg serve` writes to its log. If it throws, the registry continues to work, and `close`
   * rejects with the first error.
   */
  readonly log?: ((event: RegistryEvent) => void) | undefined;
}

/** An event in the log of a registry. */
export interface RegistryEvent {
  readonly level: 'info' | 'warning' | 'error';
  readonly event: string;
  readonly values: LogValues;
}

/** A client of the registry. */
export interface ClientInfo {
  /** IP address of the client. The registry limits how many wrong tokens and passwords one address may send. */
  readonly address: string;
}

/** Options of a token. By default it permits everything, and does not expire. */
export interface TokenOptions {
  /** The name in the list of tokens; `library` by default. */
  readonly name?: string | undefined;
  /** The actions that the token permits; all by default. */
  readonly scopes?: readonly TokenScope[] | undefined;
  /** Names of crates that the token may change, or prefixes followed by `*`; every crate by default. */
  readonly crates?: readonly string[] | undefined;
  /** A positive whole number, at most 999,999 days; by default the token does not expire. */
  readonly expiresAfterMs?: number | undefined;
}

/** An open registry. Once `close` is called, all other methods reject with `usage`. */
export interface Registry {
  /** Without a trailing slash. */
  readonly url: string;
  /** The URL of the index for configurations and for the option `index`: `sparse+http://…/index/`. */
  readonly indexUrl: string;
  /** Absolute path of the folder. */
  readonly folder: string;
  /** Returns a new token of the user `login`, who is created if necessary. Rejects with `usage` for invalid values. */
  token(login: string, options?: TokenOptions): Promise<string>;
  /**
   * Responds to a request, as the handler of any server with fetch-style handlers. Without `client`, all clients count
   * as one. The header `Host`, if there is one, must be that of `url`, `localhost` or an IP address.
   */
  fetch(request: Request, client?: ClientInfo): Promise<Response>;
  /**
   * Closes the registry. Requests must have ended. May be called again. If `log` threw, rejects with `usage` after
   * everything is closed.
   */
  close(): Promise<void>;
  /** Like `close`. */
  [Symbol.asyncDispose](): Promise<void>;
}

const FOLDER = optional(
  'the path of a folder',
  (value) => typeof value === 'string' && value !== '' && !value.includes('\0'),
);

/** The checks for `RegistryServerOptions`. */
export const REGISTRY_SERVER_CHECKS: OptionChecks<RegistryServerOptions> = {
  folder: FOLDER,
  authRequired: SWITCH,
  strict: SWITCH,
  log: FUNCTION,
};
