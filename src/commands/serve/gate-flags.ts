/** The flags of `serve` for which versions of the upstream clients get. */
import { TsregError } from '../../core/errors/error.ts';
import type { UpstreamSettings } from '../../server/open-upstream.ts';
import { isGiven, valueOf, valuesOf } from '../shared/command.ts';
import { type Flag, type FlagValues, switchFlag, valueFlag } from '../shared/flag.ts';

/** The settings that all flags of this file have. */
const UPSTREAM_FLAG = { heading: 'Upstream Options', requires: 'upstream' } as const;
/** The settings of those that may be repeated. */
const UPSTREAM_LIST_FLAG = { ...UPSTREAM_FLAG, kind: 'list', refusesEmpty: true } as const;

/** The flags of `gates` in the options of the upstream. */
export const GATE_FLAGS: readonly Flag[] = [
  valueFlag('min-publish-age', 'AGE', {
    ...UPSTREAM_FLAG,
    help: 'Refuse versions of the upstream that are younger than this, such as 12h, 3d or 2w [default: 0]',
  }),
  valueFlag('block', 'NAME[@VERSION]', {
    ...UPSTREAM_LIST_FLAG,
    help: 'Refuse a crate or a version of the upstream; may be repeated',
  }),
  valueFlag('allow', 'NAME[@VERSION]', {
    ...UPSTREAM_LIST_FLAG,
    help: 'Serve a crate or a version of the upstream whatever the other rules say; may be repeated',
  }),
  valueFlag('allow-license', 'SPDX-ID', {
    ...UPSTREAM_LIST_FLAG,
    help: 'Allow only downloads of versions of the upstream that you can use under this license, such as MIT; repeat it to allow more licenses',
  }),
  valueFlag('deny-license', 'SPDX-ID', {
    ...UPSTREAM_LIST_FLAG,
    help: 'Refuse downloads of versions of the upstream that need this license, such as AGPL-3.0; may be repeated',
  }),
  switchFlag(
    'block-advisories',
    'Refuse downloads of versions of the upstream with a vulnerability that `--advisories` lists',
    UPSTREAM_FLAG,
  ),
];

/** Returns the gates. Throws `usage` for an invalid age, and if there are no advisories to block. */
export function gatesOf(values: FlagValues): UpstreamSettings['gates'] {
  const blocksAdvisories = isGiven(values, 'block-advisories');
  if (blocksAdvisories && valueOf(values, 'advisories') === null) {
    throw new TsregError('`--block-advisories` needs `--advisories`: the folder with the advisories', {
      code: 'usage',
    });
  }
  return {
    minAgeMs: parseAge('min-publish-age', valueOf(values, 'min-publish-age') ?? '0'),
    blocked: valuesOf(values, 'block'),
    allowed: valuesOf(values, 'allow'),
    allowedLicenses: valuesOf(values, 'allow-license'),
    deniedLicenses: valuesOf(values, 'deny-license'),
    blocksAdvisories,
  };
}

const HOUR_MS = 60 * 60 * 1000;
const UNIT_MS = { h: HOUR_MS, d: 24 * HOUR_MS, w: 7 * 24 * HOUR_MS };

/** Returns an age in milliseconds; null for an age of 0, which means no minimum. Throws `usage` for other texts. */
function parseAge(flag: string, text: string): number | null {
  const [, count, unit] = /^(\d{1,5})([hdw])$/.exec(text) ?? [];
  if (text === '0' || Number(count) === 0) return null;
  if (unit === 'h' || unit === 'd' || unit === 'w') return Number(count) * UNIT_MS[unit];
  throw new TsregError(
    `invalid value \`${text}\` for \`--${flag}\`: expected an age, as in \`12h\`, \`3d\` or \`2w\``,
    { code: 'usage' },
  );
}
