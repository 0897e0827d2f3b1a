/** Downloads `.crate` files for all registries of an operation together. */
import { withContextAsync } from '../../core/errors/error.ts';
import { describePackage } from '../../core/package-id/describe.ts';
import type { PackageId } from '../../core/package-id/package-id.ts';
import { urlToPath } from '../../core/package-id/url.ts';
import { humanBytes } from '../../core/report/human-bytes.ts';
import type { OperationContext } from '../../core/report/report.ts';
import { checkUri } from '../http/check-uri.ts';
import { CurlError } from '../http/curl-error.ts';
import { type RetryOptions, getWithRetries } from '../http/retry.ts';
import type { Transport } from '../http/transport.ts';

/** The largest `.crate` that is downloaded. */
const MAX_CRATE_BYTES = 1024 * 1024 * 1024;
/** cargo names the largest file of a group if it is larger. */
const MIN_LARGEST_BYTES = 1024 * 1024;
/** cargo shows that it extracts a file if it is at least this large. */
const MIN_EXTRACTING_BYTES = 400 * 1024;
/** How long pending downloads must have run, in total, before the remaining bytes are shown. */
const SHOW_REMAINING_AFTER_MS = 500;

/** One `.crate` to download. */
export interface CrateDownload {
  /** Package in the registry that serves the file, not in the source that it replaces. */
  readonly id: PackageId;
  readonly url: string;
  /** Value of the Authorization header; null for none. */
  readonly authorization: string | null;
}

/** The report and the retry policy of downloads. */
export interface CrateDownloadsOptions extends Pick<OperationContext, 'report'> {
  /** Returns the retry policy. It may throw, and as in cargo, it is called before the first download is announced. */
  readonly retry: () => RetryOptions & OperationContext;
}

/** The progress of one download, in bytes. */
interface DownloadProgress {
  received: number;
  /** 0 while the size is unknown. */
  total: number;
  /** As in `performance.now()`. */
  readonly startedAt: number;
}

/** The downloads of one operation, and their progress reports. */
export class CrateDownloads {
  readonly #transport: Transport;
  readonly #options: CrateDownloadsOptions;
  readonly #pending = new Map<CrateDownload, DownloadProgress>();
  /** Number of finished downloads of the group, as `finish` defines it. */
  #finishedCount = 0;
  /** Total size of these downloads. */
  #finishedBytes = 0;
  /** The largest of these downloads. */
  #largest = { bytes: 0, name: '' };
  /** Start of the group; null before its first download. */
  #startedAt: number | null = null;

  constructor(transport: Transport, options: CrateDownloadsOptions) {
    this.#transport = transport;
    this.#options = options;
  }

  /**
   * Downloads one file and returns its bytes without checking them. They are in shared memory if possible. Rejects with
   * ``failed to download from `URL` `` and its cause.
   */
  async download(crate: CrateDownload): Promise<Uint8Array> {
    const { report } = this.#options;
    const retry = this.#options.retry();
    this.#startedAt ??= performance.now();
    if (this.#finishedCount === 0 && this.#pending.size === 0 && !report.showsProgress) {
      report.status('Downloading', 'crates ...');
    }
    const progress: DownloadProgress = { received: 0, total: 0, startedAt: performance.now() };
    this.#pending.set(crate, progress);
    this.#showProgress(null);
    try {
      const body = await this.#fetchBytes(crate, progress, retry);
      this.#pending.delete(crate);
      report.progress(null);
      report.status('Downloaded', describePackage(crate.id));
      this.#count(crate, body.length);
      return body;
    } finally {
      this.#pending.delete(crate);
      if (this.#pending.size === 0) report.progress(null);
    }
  }

  /**
   * Ends a group of downloads and prints a summary line if progress bars are shown. Call it only after success. The
   * next download starts a new group and announces it.
   */
  finish(): void {
    this.#reportSummary();
    this.#finishedCount = 0;
    this.#finishedBytes = 0;
    this.#largest = { bytes: 0, name: '' };
    this.#startedAt = null;
  }

  /** Prints the summary of the group if progress bars are shown. */
  #reportSummary(): void {
    const { report } = this.#options;
    if (!report.showsProgress || this.#finishedCount === 0 || this.#startedAt === null) return;
    const crates = `${this.#finishedCount} ${this.#finishedCount === 1 ? 'crate' : 'crates'}`;
    const time = elapsedText(performance.now() - this.#startedAt);
    const { bytes, name } = this.#largest;
    const largest =
      bytes > MIN_LARGEST_BYTES && this.#finishedCount > 1
        ? ` (largest was \`${name}\` at ${humanBytes(bytes)})`
        : '';
    report.status('Downloaded', `${crates} (${humanBytes(this.#finishedBytes)}) in ${time}${largest}`);
  }

  /** Downloads or reads the file, and updates `progress` meanwhile. */
  async #fetchBytes(
    { authorization, url }: CrateDownload,
    progress: DownloadProgress,
    retry: RetryOptions & OperationContext,
  ): Promise<Uint8Array> {
    const transport = this.#transport;
    checkUri(url);
    return withContextAsync(`failed to download from \`${url}\``, async () => {
      if (isFileUrl(url)) return readFileUrl(url, { transport, maxBytes: MAX_CRATE_BYTES });
      const request = {
        url,
        headers: authorization === null ? {} : { authorization },
        maxBytes: MAX_CRATE_BYTES,
        allocate: (bytes: number) => new Uint8Array(new SharedArrayBuffer(bytes)),
        onProgress: (received: number, total: number | null) => {
          progress.received = received;
          progress.total = total ?? 0;
          this.#showProgress(null);
        },
      };
      const { body } = await getWithRetries(transport, request, retry);
      return body;
    });
  }

  /** Adds a finished download to the group. */
  #count({ id }: CrateDownload, bytes: number): void {
    this.#finishedCount += 1;
    this.#finishedBytes += bytes;
    if (bytes > this.#largest.bytes) this.#largest = { bytes, name: id.name };
    this.#showProgress(bytes >= MIN_EXTRACTING_BYTES ? id.name : null);
  }

  /** Updates the progress bar. `extracting` is the name of the package that is unpacked next; null for none. */
  #showProgress(extracting: string | null): void {
    const { report } = this.#options;
    const pending = this.#pending.size;
    if (!report.showsProgress || pending === 0) return;
    let message = ` ${pending} ${pending === 1 ? 'crate' : 'crates'}`;
    if (extracting !== null) message += `, extracting ${extracting} ...`;
    else message += this.#remainingText();
    const total = this.#finishedCount + pending;
    report.progress({ verb: 'Downloading', done: this.#finishedCount, total, message });
  }

  /** Returns the text about remaining bytes; empty if they are unknown, or in the first moments. */
  #remainingText(): string {
    const now = performance.now();
    let bytes = 0;
    let spentMs = 0;
    for (const { received, total, startedAt } of this.#pending.values()) {
      spentMs += now - startedAt;
      bytes += Math.max(total - received, 0);
    }
    return bytes > 0 && spentMs > SHOW_REMAINING_AFTER_MS ? `, remaining bytes: ${humanBytes(bytes)}` : '';
  }
}

/** Returns a duration such as `1.23s` or `2m 03s`. */
function elapsedText(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  if (seconds >= 60) return `${Math.floor(seconds / 60)}m ${String(seconds % 60).padStart(2, '0')}s`;
  return `${seconds}.${String(Math.floor((ms % 1000) / 10)).padStart(2, '0')}s`;
}

/** Returns true if the URL names a file. */
function isFileUrl(url: string): boolean {
  return /^file:/i.test(url);
}

/**
 * Reads the file; `--offline` forbids this like a request. Rejects with a `CurlError` if the file does not exist or has
 * more than `maxBytes`. The codes and messages are those of libcurl, which cargo uses.
 */
async function readFileUrl(
  url: string,
  { transport, maxBytes }: { readonly transport: Transport; readonly maxBytes: number },
): Promise<Uint8Array> {
  transport.assertOnline();
  const path = urlToPath(url);
  if (path === null || namesServer(path)) throw new CurlError(3, 'URL rejected: Bad file:// URL');
  const { readFile, stat } = await import('node:fs/promises');
  const stats = await stat(path).catch(() => null);
  if (stats?.isFile() !== true) throw unreadable(path);
  if (stats.size > maxBytes) throw new CurlError(63, `Exceeded the maximum allowed file size (${maxBytes})`);
  return readFile(path).catch(() => {
    throw unreadable(path);
  });
}

/** Returns true for a Windows path that names a server. Windows would send it a hash of the user's password. */
export function namesServer(path: string, platform: string = process.platform): boolean {
  return platform === 'win32' && /^[\\/]{2}/.test(path);
}

function unreadable(path: string): CurlError {
  return new CurlError(37, `Couldn't open file ${path}`);
}
