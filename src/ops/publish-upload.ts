/** Sending one package to a registry. Cargo Book: Registry Web API, Publish. */
import { setTimeout } from 'node:timers/promises';
import { TsregError } from '../errors/error.ts';
import { CurlError } from '../http/curl-error.ts';
import type { PublishWarnings } from '../protocol/api-answers.ts';
import { encodePublishMetadata, type PublishMetadata } from '../protocol/publish-metadata.ts';
import { humanBytes } from '../report/human-bytes.ts';
import type { OperationContext, Report } from '../report/report.ts';
import type { Summary } from '../summary/summary.ts';
import { ApiError, isSuccess } from '../web-api/api-error.ts';
import { showText } from '../web-api/shown-text.ts';
import type { WebApi } from '../web-api/web-api.ts';
import type { OpenedRegistry } from './open-registry.ts';
import { sameVersions } from './publish-checks.ts';
import { shortName } from './publish-ledger.ts';
import type { Planned } from './publish-plan.ts';

/** A package that is ready to be sent. */
export interface CrateToPublish extends Planned {
  /** As status lines name it: `a v0.1.0 (/path)`. */
  readonly label: string;
  /** Of the archive, in hexadecimal. */
  readonly sha256: string;
  /** The whole archive. Rejects if it is not what it was when `sha256` was made. */
  archive(): Promise<Uint8Array>;
  /** What is sent beside the archive. */
  metadata(): PublishMetadata;
}

/** What became of a package that was sent. */
export type UploadOutcome =
  /** The registry said that it took it. */
  | { readonly kind: 'uploaded' }
  /** Nothing can be read from the answer, and the index has it. */
  | { readonly kind: 'found' };

/** What became of a package that was sent in vain, beside why. */
export class UploadFailure extends TsregError {
  /** `unknown`: the registry may have it, or get it yet. */
  readonly state: 'not-published' | 'refused' | 'unknown';

  constructor(message: string, options: { readonly state: UploadFailure['state']; readonly cause: unknown }) {
    super(message, { cause: options.cause });
    this.state = options.state;
  }
}

/** How a package is sent. */
export interface UploadOptions {
  readonly registry: OpenedRegistry;
  /** Behind the message of a failure. */
  readonly remaining: () => string;
  /** True to look into the index where an answer leaves open whether the package was taken. */
  readonly isResolved: boolean;
  /** How long the index is looked into then. */
  readonly lookMs: number;
  /** How often a package is sent again that did not arrive. */
  readonly attempts: number;
  /** True if text of the server is shown as it came. */
  readonly isRaw: boolean;
  /** True if the registry is only to say what it would do. */
  readonly isServerDryRun: boolean;
}

/**
 * Sends a package and says what the registry warns of. An answer that is lost, or says nothing that can be understood, is
 * resolved by a look into the index. Rejects with an `UploadFailure`.
 */
export async function uploadCrate(
  crate: CrateToPublish,
  options: UploadOptions,
  context: OperationContext,
): Promise<UploadOutcome> {
  const { registry, remaining, isRaw, isServerDryRun } = options;
  const { name, version } = crate.id;
  const operation = { kind: 'publish', name, vers: version.text, cksum: crate.sha256 } as const;
  const api = await registry.api(operation);
  const metadata = Buffer.from(encodePublishMetadata(crate.metadata()));
  const archive = await crate.archive();
  const problem = `failed to publish ${shortName(crate)} to registry at ${registry.host}`;
  for (let attempt = 1; ; attempt += 1) {
    try {
      const warnings = await send(api, { crate, metadata, archive, isServerDryRun }, context);
      warn(warnings, { isRaw }, context.report);
      return { kind: 'uploaded' };
    } catch (error) {
      const state = stateAfter(error);
      if (context.signal.aborted) throw new UploadFailure(problem, { state, cause: error });
      const found = options.isResolved ? await lookFor(crate, error, options, context) : null;
      if (found === 'same') return { kind: 'found' };
      if (found !== null && found !== 'absent') {
        const cause = new TsregError(
          `the registry has ${shortName(crate)} with the checksum ${found.checksum ?? '(none)'}, and the one that was sent has ${crate.sha256}`,
          { code: 'checksum' },
        );
        throw new UploadFailure(problem + remaining(), { state: 'refused', cause });
      }
      if (state === 'unknown' && attempt < options.attempts && !(error instanceof ApiError)) {
        context.report.warning(`sending ${shortName(crate)} again, of which the index shows nothing`);
        continue;
      }
      if (state === 'unknown' && options.isResolved) sayUnknown(crate, context.report);
      throw new UploadFailure(problem + remaining(), { state, cause: error });
    }
  }
}

interface Sending {
  readonly crate: CrateToPublish;
  readonly metadata: Uint8Array;
  readonly archive: Uint8Array;
  readonly isServerDryRun: boolean;
}

async function send(
  api: WebApi,
  { crate, metadata, archive, isServerDryRun }: Sending,
  { report }: OperationContext,
): Promise<PublishWarnings> {
  const body = {
    length: archive.length,
    async *chunks() {
      yield archive;
    },
  };
  try {
    return await api.publish(
      { metadata, archive: body },
      {
        isDryRun: isServerDryRun,
        onProgress: (done, total) =>
          report.progress({
            verb: 'Uploading',
            done,
            total,
            counts: `${humanBytes(done)}/${humanBytes(total)}`,
            message: `: ${shortName(crate)}`,
          }),
      },
    );
  } finally {
    report.progress(null);
  }
}

/** Failures before anything could be sent. */
const NOT_SENT: ReadonlySet<number> = new Set([3, 5, 6, 7, 35, 60, 77]);

/** What is certain after a failure. */
function stateAfter(error: unknown): UploadFailure['state'] {
  if (error instanceof ApiError) {
    if (isSuccess(error.status)) return error.details === null ? 'unknown' : 'refused';
    return error.status >= 500 && error.details === null ? 'unknown' : 'refused';
  }
  if (error instanceof CurlError) return NOT_SENT.has(error.curlCode) ? 'not-published' : 'unknown';
  if (error instanceof TsregError && error.code === 'auth') return 'not-published';
  for (let at: unknown = error; at instanceof TsregError; at = at.cause) {
    if (at instanceof ApiError) return 'refused';
  }
  return 'unknown';
}

const LOOK_PAUSE_MS = 1000;

/** What the index has of a package after a failure; null where that cannot matter, or is not known. */
async function lookFor(
  crate: CrateToPublish,
  error: unknown,
  { registry, lookMs }: UploadOptions,
  { report, signal }: OperationContext,
): Promise<'same' | 'absent' | Summary | null> {
  const state = stateAfter(error);
  if (state === 'not-published') return null;
  const isOpen = state === 'unknown';
  // A refusal may well be that of a package that is there; nothing is going to appear, though.
  const until = performance.now() + (isOpen ? lookMs : 0);
  if (isOpen) {
    const reason = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
    report.note(
      `looking into the index for ${shortName(crate)}: it was sent, and the answer says nothing (${reason})`,
    );
  }
  for (;;) {
    try {
      const versions = sameVersions(await registry.index.current(crate.id.name), crate.id.version);
      const same = versions.find(({ checksum }) => checksum === crate.sha256);
      if (same !== undefined) return 'same';
      const [other] = versions;
      if (other !== undefined && isOpen) return other;
    } catch (failure) {
      signal.throwIfAborted();
      if (!(failure instanceof TsregError)) throw failure;
    }
    if (performance.now() + LOOK_PAUSE_MS > until) return 'absent';
    await setTimeout(LOOK_PAUSE_MS, undefined, { signal });
  }
}

function sayUnknown(crate: CrateToPublish, report: Report): void {
  report.note(
    `it is not certain whether the registry has ${shortName(crate)}: its index does not show it`,
    'run the command again with `--skip-published`, which finds that out before it sends anything',
  );
}

function warn(
  { invalidCategories, invalidBadges, other }: PublishWarnings,
  { isRaw }: { readonly isRaw: boolean },
  report: Report,
): void {
  const shown = (texts: readonly string[]): readonly string[] =>
    texts.map((text) => showText(text, { isRaw, secret: null }));
  if (invalidCategories.length > 0) {
    report.warning({
      title: `the following are not valid category slugs and were ignored: ${shown(invalidCategories).join(', ')}`,
      remarks: [
        {
          label: 'help',
          text: 'please see <https://crates.io/category_slugs> for the list of all category slugs',
        },
      ],
    });
  }
  if (invalidBadges.length > 0) {
    report.warning({
      title: `the following are not valid badges and were ignored: ${shown(invalidBadges).join(', ')}`,
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
  for (const text of shown(other)) report.warning(text);
}
