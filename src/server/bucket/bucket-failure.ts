/** What went wrong with a bucket, and what to do about it. */
import { TsregError } from '../../errors/error.ts';
import type { BucketFault } from './bucket-answer.ts';

/** Statuses that the same request may not have the next time. */
export const TRANSIENT: ReadonlySet<number> = new Set([408, 425, 429, 500, 502, 503, 504]);

/** What a store said. */
export interface BucketRefusal {
  readonly status: number;
  readonly fault: BucketFault;
  /** Where it says that the bucket is; null if it does not. */
  readonly theirRegion: string | null;
}

/** What it was asked. */
export interface BucketDeed {
  /** What was to be done with the bucket: `read from`, for example. */
  readonly deed: string;
  /** As messages call it. */
  readonly bucket: string;
  readonly region: string;
}

const NEW_KEYS = 'the keys have expired: set new ones';
const UNKNOWN_KEY = 'the store does not know the key: check `AWS_ACCESS_KEY_ID`, or the profile';
const RIGHTS =
  'the keys need `s3:ListBucket` on the bucket, and `s3:GetObject`, `s3:PutObject` and `s3:DeleteObject` on what is in ' +
  'it; some stores report a wrong key or a missing bucket in the same way';
const CLOCK = 'the clocks of this machine and of the store differ too much';

/** What to do about what stores say, by their codes. */
const HINTS: Readonly<Record<string, string>> = {
  NoSuchBucket: 'create the bucket, or correct its name or `endpoint` in `--storage`',
  InvalidAccessKeyId: UNKNOWN_KEY,
  // As versitygw calls it, with 404.
  XAdminUserNotFound: UNKNOWN_KEY,
  SignatureDoesNotMatch:
    '`AWS_SECRET_ACCESS_KEY`, or the secret in the profile, does not belong to the access key',
  AccessDenied: RIGHTS,
  ExpiredToken: NEW_KEYS,
  InvalidToken: NEW_KEYS,
  TokenRefreshRequired: NEW_KEYS,
  RequestTimeTooSkewed: CLOCK,
  QuotaExceeded: 'the storage quota of the account is used up',
};

/** Codes that are about keys, whatever the status is. */
const OF_KEYS = new Set([
  ...['InvalidAccessKeyId', 'XAdminUserNotFound', 'SignatureDoesNotMatch', 'AccessDenied'],
  ...['ExpiredToken', 'InvalidToken', 'TokenRefreshRequired'],
]);

/** True where other keys may not be refused. */
export function isAboutKeys(code: string): boolean {
  return OF_KEYS.has(code);
}

/** As those stores say it that do not have it in a header. */
const EXPECTED_REGION = /region .* is wrong; expecting ["']([\w-]+)["']/;

/** `auth` where the keys are refused, `network` where it may pass, else `config`. */
export function refusedByBucket(
  { status, fault, theirRegion }: BucketRefusal,
  { deed, bucket, region }: BucketDeed,
): TsregError {
  const said = [String(status), fault.code, fault.message].filter((part) => part !== '').join(' ');
  const failure = `cannot ${deed} ${bucket}: ${said}`;
  const theirs = theirRegion ?? EXPECTED_REGION.exec(fault.message)?.[1] ?? null;
  if (theirs !== null && /^[\w-]{1,64}$/.test(theirs) && theirs !== region) {
    return new TsregError(`${failure}; it is in the region \`${theirs}\``, {
      code: 'config',
      hint: `add \`region=${theirs}\` to \`--storage\`, or set \`AWS_REGION\``,
    });
  }
  const isRefusal = status === 401 || status === 403;
  const hint = HINTS[fault.code] ?? (isRefusal ? RIGHTS : null);
  const code = isRefusal || isAboutKeys(fault.code) ? 'auth' : TRANSIENT.has(status) ? 'network' : 'config';
  return new TsregError(failure, { code, ...(hint === null ? {} : { hint }) });
}

/** No answer at all. */
export function unreachableBucket(bucket: string, cause: unknown): TsregError {
  return new TsregError(`${bucket} cannot be reached`, { cause });
}
