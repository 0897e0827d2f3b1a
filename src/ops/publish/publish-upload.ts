/** Sending one package to a registry. Cargo Book: Registry Web API, Publish. */
import { TsregError } from '../../errors/error.ts';
import { bodyOfBytes } from '../../http/upload-body.ts';
import type { PublishWarnings } from '../../protocol/api-answers.ts';
import { encodePublishMetadata, type PublishMetadata } from '../../protocol/publish-metadata.ts';
import { humanBytes } from '../../report/human-bytes.ts';
import type { OperationContext, Report } from '../../report/report.ts';
import type { ApiError } from '../../web-api/api-error.ts';
import { showText } from '../../web-api/shown-text.ts';
import type { CrateUpload, WebApi } from '../../web-api/web-api.ts';
import type { OpenedRegistry } from '../registry/open-registry.ts';
import { answerBehind } from '../registry/request-outcome.ts';
import { shortName } from './publish-ledger.ts';
import { isAboutDuplicates, lookIntoIndex, stateAfter } from './publish-lookup.ts';
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

/**
 * What became of a package that was sent. `uploaded`: the registry said that it took it. `found`: its answer says nothing,
 * and the index has it.
 */
export type UploadOutcome = 'uploaded' | 'found';

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
  /** Stands behind the message of a failure. */
  readonly remaining: () => string;
  /** How long the index is looked into where an answer leaves open whether the package was taken; null for not at all. */
  readonly lookMs: number | null;
  /** True if it is fine that the registry has the very same package already. */
  readonly acceptsExisting: boolean;
  /** How often a package is sent whose answer is lost. */
  readonly attempts: number;
  /** True to say nothing that cargo does not say, and to show what the server says as it came. */
  readonly isCargo: boolean;
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
  const { registry, remaining } = options;
  const { name, version } = crate.id;
  const api = await registry.api({ kind: 'publish', name, vers: version.text, cksum: crate.sha256 });
  const upload = {
    metadata: Buffer.from(encodePublishMetadata(crate.metadata())),
    archive: bodyOfBytes(await crate.archive()),
  };
  const problem = `failed to publish ${shortName(crate)} to registry at ${registry.host}`;
  let attempt = 1;
  // An answer of a busy server that says nothing may come from something in front of a registry that took the package.
  const mayRepeat = async (busy: ApiError): Promise<boolean> => {
    if (options.lookMs === null || stateAfter(busy) !== 'unknown') return true;
    attempt += 1;
    const looking = { registry, lookMs: 0, seesOthers: true };
    return (await lookIntoIndex(crate, looking, context)) === 'absent';
  };
  for (; ; attempt += 1) {
    try {
      const sending = { ...options, name: shortName(crate), mayRepeat };
      warn(await send(api, upload, sending, context), options, context.report);
      return 'uploaded';
    } catch (error) {
      // What was refused, or did not arrive, the second time may have been taken the first time.
      const state = attempt > 1 ? 'unknown' : stateAfter(error);
      if (context.signal.aborted) throw new UploadFailure(problem, { state, cause: error });
      const found = await resolve(crate, error, { ...options, attempt }, context).catch((cause: unknown) => {
        throw new UploadFailure(problem, { state, cause });
      });
      if (found === 'same') return 'found';
      if (found !== 'absent') {
        throw new UploadFailure(problem + remaining(), {
          state: 'refused',
          cause: otherPackage(crate, found),
        });
      }
      if (state === 'unknown' && options.lookMs !== null) {
        if (attempt < options.attempts && answerBehind(error) === null) {
          context.report.warning(`sending ${shortName(crate)} again: it is not in the index`);
          continue;
        }
        sayUnknown(crate, context.report);
      }
      throw new UploadFailure(problem + remaining(), { state, cause: error });
    }
  }
}

type SendOptions = UploadOptions & {
  readonly name: string;
  readonly mayRepeat: (busy: ApiError) => Promise<boolean>;
};

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

/** What the index says where an answer does not; `absent` where it is not asked. Otherwise another checksum. */
async function resolve(
  crate: CrateToPublish,
  error: unknown,
  { registry, lookMs, acceptsExisting, attempt }: UploadOptions & { readonly attempt: number },
  context: OperationContext,
): Promise<'same' | 'absent' | { readonly checksum: string }> {
  if (lookMs === null) return 'absent';
  const state = stateAfter(error);
  if (state === 'unknown' || (state === 'not-published' && attempt > 1)) {
    const [reason = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
    context.report.note(
      `checking the index for ${shortName(crate)}: the response does not say whether it was published (${reason})`,
    );
    return lookIntoIndex(crate, { registry, lookMs, seesOthers: true }, context);
  }
  const mayBeThere = state === 'refused' && (acceptsExisting || attempt > 1) && isAboutDuplicates(error);
  return mayBeThere ? lookIntoIndex(crate, { registry, lookMs, seesOthers: false }, context) : 'absent';
}

function otherPackage(crate: CrateToPublish, { checksum }: { readonly checksum: string }): TsregError {
  return new TsregError(
    `the registry has ${shortName(crate)} with the checksum ${checksum}, but tsreg sent ${crate.sha256}`,
    { code: 'checksum' },
  );
}

function sayUnknown(crate: CrateToPublish, report: Report): void {
  report.note(
    `the outcome is unknown: ${shortName(crate)} is not in the index`,
    'run the command again with `--skip-published`: it checks first, and sends only what is missing',
  );
}

function warn(
  { invalidCategories, invalidBadges, other }: PublishWarnings,
  { isCargo }: UploadOptions,
  report: Report,
): void {
  const shown = (texts: readonly string[]): readonly string[] =>
    texts.map((text) => showText(text, { isWhole: isCargo, secret: null }));
  if (invalidCategories.length > 0) {
    const title = `the following are not valid category slugs and were ignored: ${shown(invalidCategories).join(', ')}`;
    const text = 'please see <https://crates.io/category_slugs> for the list of all category slugs';
    report.warning({ title, remarks: [{ label: 'help', text }] });
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
