/** The parameter `include` of a crate. */
import { ApiError } from '../api-error.ts';
import { INCLUDED_PARTS } from './crate-operations.ts';

/** A part of the response about a crate. */
export type IncludedPart = (typeof INCLUDED_PARTS)[number];

const ALL: ReadonlySet<IncludedPart> = new Set(INCLUDED_PARTS);

/** Returns the parts that `include` names; all of them if it is missing. Throws a 400 for an unknown part. */
export function parseInclude(include: string | undefined): ReadonlySet<IncludedPart> {
  if (include === undefined) return ALL;
  const parts = new Set<IncludedPart>();
  for (const name of include.split(',')) {
    const part = INCLUDED_PARTS.find((known) => known === name);
    if (part !== undefined) parts.add(part);
    else if (name === 'full') return ALL;
    else if (name !== '') {
      throw new ApiError(
        400,
        `\`include\` may name \`${INCLUDED_PARTS.join('`, `')}\` and \`full\`, not \`${name.slice(0, 20)}\``,
      );
    }
  }
  return parts;
}
