/** Connections, downloads and tokens that remote registries share in one operation. */
import { fixedRetryPauseMs, httpSettings, netSettings } from '../config/network-settings.ts';
import { RegistryCredentials } from '../credentials/registry-credentials.ts';
import type { RetryOptions } from '../http/retry.ts';
import { Transport } from '../http/transport.ts';
import type { OperationContext } from '../../core/report/report.ts';
import { CARGO_RELEASE } from '../../core/version/cargo-release.ts';
import { CrateDownloads } from './crate-downloads.ts';
import { gitProxy } from './git-proxy.ts';
import type { RegistryContext } from './source-context.ts';

/** The retry policy of an operation. Each request adds the statuses that it accepts. */
export type RetryPolicy = Omit<RetryOptions, 'accepts'> & OperationContext;

/** The shared resources of one operation. Nothing is opened before its first use. */
export class RegistryAccess {
  readonly credentials: RegistryCredentials;
  readonly #context: RegistryContext;
  readonly #earlier: RegistryAccess | null;
  #transport: Transport | null = null;
  #downloads: CrateDownloads | null = null;
  #retry: RetryPolicy | null = null;

  /** `earlier` belongs to an earlier resolution of the same operation. Its connections and tokens are reused. */
  constructor(context: RegistryContext, earlier: RegistryAccess | null = null) {
    this.#context = context;
    this.#earlier = earlier;
    this.credentials = earlier?.credentials ?? context.credentials ?? new RegistryCredentials(context);
  }

  /** The shared connections. Throws if the `[http]` table is invalid. */
  get transport(): Transport {
    return this.#sharedTransport();
  }

  /** Throws if the `[http]` table is invalid. */
  assertConfigured(): void {
    this.#sharedTransport();
  }

  /** `http.user-agent`; null if it is not configured. */
  get userAgent(): string | null {
    return httpSettings(this.#context.config).userAgent;
  }

  /** The retry policy of requests. Throws if the `[net]` table is invalid. */
  get retry(): RetryPolicy {
    const { config, report, signal, maxWaitMs = null } = this.#context;
    this.#retry ??= {
      retries: netSettings(config).retries,
      fixedPauseMs: fixedRetryPauseMs(config),
      maxWaitMs,
      report,
      signal,
    };
    return this.#retry;
  }

  /** Downloads of all registries together. */
  get downloads(): CrateDownloads {
    this.#downloads ??= new CrateDownloads(this.transport, {
      report: this.#context.report,
      retry: () => ({ ...this.retry, accepts: (status) => status === 200 }),
    });
    return this.#downloads;
  }

  /** Ends the downloads and prints their summary. Call it when all packages are on disk. */
  finishDownloads(): void {
    this.#downloads?.finish();
  }

  /** Closes idle connections, if there are any. */
  async close(): Promise<void> {
    await this.#transport?.close();
  }

  #sharedTransport(): Transport {
    this.#transport ??= this.#earlier?.transport ?? this.#openTransport();
    return this.#transport;
  }

  /** Throws `config` if the `[http]` table is invalid. */
  #openTransport(): Transport {
    const { config, offlineFlag, signal } = this.#context;
    const settings = httpSettings(config);
    return new Transport({
      ...settings,
      env: config.env,
      userAgent: settings.userAgent ?? `cargo/${CARGO_RELEASE}`,
      gitProxy: () => gitProxy(config, signal),
      offlineFlag,
      signal,
    });
  }
}
