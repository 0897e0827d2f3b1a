/** The flags of `serve` for which versions of the upstream clients get. */
import { TsregError } from '../../core/errors/error.ts';
import type { UpstreamSettings } from '../../server/open-upstream.ts';
import { valueOf, valuesOf } from '../shared/command.ts';
import { type Flag, type FlagHeading, type FlagValues, valueFlag } from '../shared/flag.ts';

const heading: FlagHeading = 'Upstream Options';
const requires = 'upstream';

/** The flags of `gates` in the options of the upstream. */
export const GATE_FLAGS: readonly Flag[] = [
  valueFlag('min-publish-age', 'AGE', {
    ...{ heading, requires },
    help: 'Leave out versions of the upstream that are younger than this, such as 12h, 3d or 2w [default: 0]',
  }),
  valueFlag('block', 'NAME[@VERSION]', {
    ...{ heading, requires, kind: 'list', refusesEmpty: true },
    help: 'Leave out a crate or a version of the upstream, and refuse its downloads; may be repeated',
  }),
  valueFlag('allow', 'NAME[@VERSION]', {
    ...{ heading, requires, kind: 'list', refusesEmpty: true },
    help: 'Serve a crate or a version of the upstream despite `--block` and `--min-publish-age`; may be repeated',
  }),
];

/** Returns the gates. Throws `usage` for an invalid age. */
export function gatesOf(values: FlagValues): UpstreamSettings['gates'] {
  return {
    minAgeMs: parseAge('min-publish-age', valueOf(values, 'min-publish-age') ?? '0'),
    blocked: valuesOf(values, 'block'),
    allowed: valuesOf(values, 'allow'),
  };
}

const HOUR_MS = 60 * 60 * 1000;
const UNIT_MS = { h: HOUR_MS, d: 24 * HOUR_MS, w: 7 * 24 * HOUR_MS };

/** Returns an age in milliseconds; null for none. */
function parseAge(flag: string, text: string): number | null {
  const [, count, unit] = /^(\d{1,5})([hdw])$/.exec(text) ?? [];
  if (text === '0' || Number(count) === 0) return null;
  if (unit === 'h' || unit === 'd' || unit === 'w') return Number(count) * UNIT_MS[unit];
  throw new TsregError(
    `invalid value \`${text}\` for \`--${flag}\`: expected an age, as in \`12h\`, \`3d\` or \`2w\``,
    { code: 'usage' },
  );
}
