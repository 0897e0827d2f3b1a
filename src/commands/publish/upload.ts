/** Sends one package to a registry, and finds out whether it arrived. Cargo Book: Registry Web API, Publish. */
import { TsregError } from '../../core/errors/error.ts';
import { bodyOfBytes } from '../../io/http/upload-body.ts';
import type { PublishWarnings } from '../../core/protocol/api-responses.ts';
import { encodePublishMetadata } from '../../core/protocol/publish-metadata.ts';
import { humanBytes } from '../../core/report/human-bytes.ts';
import type { OperationContext, Report } from '../../core/report/report.ts';
import { ApiError, isSuccess } from '../../io/web-api/api-error.ts';
import { showText } from '../../io/web-api/sanitized-text.ts';
import type { CrateUpload, WebApi } from '../../io/web-api/web-api.ts';
import type { OpenedRegistry } from '../shared/registry/open-registry.ts';
import { responseBehind, outcomeOf } from '../shared/registry/request-outcome.ts';
import { shortName, type CrateToPublish } from './release.ts';
import { type IndexedPackage, searchIndex } from './search-index.ts';

/**
 * The outcome of a successful upload. `uploaded`: the registry confirmed it. `found`: the response was not clear, but
 * the index has the package.
 */
export type UploadOutcome = 'uploaded' | 'found';

/** A failed upload, and the state of the package. */
export class UploadFailure extends TsregError {
  /** `unknown`: the registry may have it, or may still receive it. */
  readonly state: 'not-published' | 'refused' | 'unknown';

  constructor(message: string, options: { readonly state: UploadFailure['state']; readonly cause: unknown }) {
    super(message, { cause: options.cause });
    this.state = options.state;
  }
}

/** How to send a package. */
export interface UploadOptions {
  readonly registry: OpenedRegistry;
  /** The text to append to a failure message: which packages have not been published yet. */
  readonly remainingNote: string;
  /** How long to search the index if the response does not say whether the package was accepted; null to not search. */
  readonly lookMs: number | null;
  /** True to accept that the registry already has the identical package. */
  readonly acceptsExisting: boolean;
  /** Maximum number of uploads if the response is lost. */
  readonly attempts: number;
  /** True to report nothing that cargo does not report, and to show the server's text unchanged. */
  readonly isCargo: boolean;
  /** True to let the registry only check the package. */
  readonly isServerDryRun: boolean;
}

/**
 * Sends a package and reports the registry's warnings. If the response is lost or unclear, searches the index. Rejects
 * with an `UploadFailure`.
 */
export async function uploadCrate(
  crate: CrateToPublish,
  options: UploadOptions,
  context: OperationContext,
): Promise<UploadOutcome> {
  const { registry } = options;
  const { name, version } = crate.id;
  const api = await registry.api({ kind: 'publish', name, vers: version.text, cksum: crate.sha256 });
  const upload = {
    metadata: Buffer.from(encodePublishMetadata(crate.metadata(registry.source.original))),
    archive: bodyOfBytes(crate.archive()),
  };
  // The number of this attempt, which `mayRepeat` also counts up.
  let attempt = 1;
  // A busy response without details may come from a proxy in front of a registry that accepted the package.
  const mayRepeat = async (busy: ApiError): Promise<boolean> => {
    if (options.lookMs === null || stateAfter(busy) !== 'unknown') return true;
    // The repeated request is a further attempt: its refusal may mean that the first request stored the package.
    attempt += 1;
    const searchOptions = { registry, lookMs: 0, seesOthers: true };
    return (await searchIndex(crate, searchOptions, context)) === 'absent';
  };
  for (; ; attempt += 1) {
    try {
      const sendOptions = { ...options, name: shortName(crate), mayRepeat };
      reportWarnings(await send(api, upload, sendOptions, context), options, context.report);
      return 'uploaded';
    } catch (error) {
      const next = await nextAfterFailure(crate, error, { ...options, attempt }, context);
      if (next === 'found') return next;
      context.report.warning(`sending ${shortName(crate)} again: it is not in the index`);
    }
  }
}

/**
 * Returns what follows after attempt number `attempt` failed with `error`: `found` if the index has the package, or
 * `again` to send it again. Throws an `UploadFailure` if neither is possible.
 */
async function nextAfterFailure(
  crate: CrateToPublish,
  error: unknown,
  options: UploadOptions & { readonly attempt: number },
  context: OperationContext,
): Promise<'found' | 'again'> {
  const { registry, remainingNote, attempt } = options;
  const problem = `failed to publish ${shortName(crate)} to registry at ${registry.host}`;
  // If a later attempt is refused or does not arrive, the first one may have succeeded.
  const state = attempt > 1 ? 'unknown' : stateAfter(error);
  if (context.signal.aborted) throw new UploadFailure(problem, { state, cause: error });
  const published = await searchAfterFailure(crate, error, options, context).catch((cause: unknown) => {
    throw new UploadFailure(problem, { state, cause });
  });
  if (published === 'same') return 'found';
  if (published !== 'absent') {
    const cause = otherPackageError(crate, published);
    throw new UploadFailure(problem + remainingNote, { state: 'refused', cause });
  }
  if (state === 'unknown' && options.lookMs !== null) {
    if (attempt < options.attempts && responseBehind(error) === null) return 'again';
    context.report.note(`the outcome is unknown: ${shortName(crate)} is not in the index`);
  }
  throw new UploadFailure(problem + remainingNote, { state, cause: error });
}

type SendOptions = UploadOptions & {
  readonly name: string;
  readonly mayRepeat: (busy: ApiError) => Promise<boolean>;
};

/** Sends one request. Repeats it while the registry is busy, if `mayRepeat` allows it. */
async function send(
  api: WebApi,
  upload: CrateUpload,
  { isServerDryRun, isCargo, name, mayRepeat }: SendOptions,
  { report }: OperationContext,
): Promise<PublishWarnings> {
  const showProgress = (done: number, total: number): void => {
    const counts = `${humanBytes(done)}/${humanBytes(total)}`;
    report.progress({ verb: 'Uploading', done, total, counts, message: `: ${name}` });
  };
  try {
    return await api.publish(upload, {
      isDryRun: isServerDryRun,
      mayRepeat,
      ...(isCargo ? {} : { onProgress: showProgress }),
    });
  } finally {
    report.progress(null);
  }
}

/** Searches the index if the registry may have the package after an upload failed with `error`. */
async function searchAfterFailure(
  crate: CrateToPublish,
  error: unknown,
  { registry, lookMs, acceptsExisting, attempt }: UploadOptions & { readonly attempt: number },
  context: OperationContext,
): Promise<IndexedPackage> {
  if (lookMs === null) return 'absent';
  const state = stateAfter(error);
  if (state === 'unknown' || (state === 'not-published' && attempt > 1)) {
    const [reason = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
    context.report.note(
      `checking the index for ${shortName(crate)}: the response does not say whether it was published (${reason})`,
    );
    return searchIndex(crate, { registry, lookMs, seesOthers: true }, context);
  }
  const mayExist = state === 'refused' && (acceptsExisting || attempt > 1) && isAboutDuplicates(error);
  return mayExist ? searchIndex(crate, { registry, lookMs, seesOthers: false }, context) : 'absent';
}

function otherPackageError(crate: CrateToPublish, { checksum }: { readonly checksum: string }): TsregError {
  return new TsregError(
    `the registry has ${shortName(crate)} with the checksum ${checksum}, but tsreg sent ${crate.sha256}`,
    { code: 'checksum' },
  );
}

/** Reports the warnings of the registry, in cargo's words. */
function reportWarnings(
  { invalidCategories, invalidBadges, other }: PublishWarnings,
  { isCargo }: UploadOptions,
  report: Report,
): void {
  const sanitize = (texts: readonly string[]): readonly string[] =>
    texts.map((text) => showText(text, { isWhole: isCargo, secret: null }));
  if (invalidCategories.length > 0) {
    const title = `the following are not valid category slugs and were ignored: ${sanitize(invalidCategories).join(', ')}`;
    const text = 'please see <https://crates.io/category_slugs> for the list of all category slugs';
    report.warning({ title, remarks: [{ label: 'help', text }] });
  }
  if (invalidBadges.length > 0) {
    report.warning({
      title: `the following are not valid badges and were ignored: ${sanitize(invalidBadges).join(', ')}`,
      remarks: [
        {
          label: 'note',
          text: 'either the badge type specified is unknown or a required attribute is missing',
        },
        {
          label: 'help',
          text: 'please see <https://doc.rust-lang.org/cargo/reference/manifest.html#package-metadata> for valid badge types and their required attributes',
        },
      ],
    });
  }
  for (const text of sanitize(other)) report.warning(text);
}

/** Returns the state of a package after its upload failed with `error`. */
export function stateAfter(error: unknown): 'not-published' | 'refused' | 'unknown' {
  const outcome = outcomeOf(error);
  return outcome === 'not-sent' ? 'not-published' : outcome;
}

/**
 * Returns true for a refusal that may mean that the version already exists. Registries do not agree on the status: it
 * may even be 200 (older registries) or 500. Other statuses are about the token, the size or the rate of requests.
 */
export function isAboutDuplicates(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false;
  const { status } = error;
  return isSuccess(status) || status === 400 || status === 409 || status === 422 || status >= 500;
}
