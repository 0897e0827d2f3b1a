/** The flags of `serve` for badges of other sites in readmes. */
import type { StartOptions } from '../../server/start-options.ts';
import { isGiven, type Invocation, valuesOf } from '../shared/command.ts';
import { type Flag, type FlagHeading, switchFlag, valueFlag } from '../shared/flag.ts';

const heading: FlagHeading = 'Identity';

/** The flags of the group `badges` in the options of the server. */
export const BADGE_FLAGS: readonly Flag[] = [
  switchFlag('badge-proxy', 'Fetch badges of other sites, such as img.shields.io, and show them in readmes', {
    heading,
  }),
  valueFlag('badge-host', 'HOST', {
    heading,
    kind: 'list',
    requires: 'badge-proxy',
    refusesEmpty: true,
    help: 'With `--badge-proxy`: show badges of this site instead of the default sites; may be repeated',
  }),
];

/** Returns which badges the server shows: none if it is offline; without the flag, admins choose. */
export function badgesOf({
  values,
  offline,
}: Pick<Invocation, 'values' | 'offline'>): StartOptions['badges'] {
  const isShown = isGiven(values, 'badge-proxy') ? true : null;
  return { isShown: offline ? false : isShown, hosts: valuesOf(values, 'badge-host') };
}
