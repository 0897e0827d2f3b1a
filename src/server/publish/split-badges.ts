/** Checks badges of packages. Cargo Book: The Manifest Format, The badges section. */
import { present } from '../../core/errors/assert.ts';
import type { PublishMetadata } from '../../core/protocol/publish-metadata.ts';

/** The required attributes of each type of badge. */
const REQUIRED: ReadonlyMap<string, readonly string[]> = new Map([
  ['maintenance', ['status']],
  ['appveyor', ['repository']],
  ['azure-devops', ['project', 'pipeline']],
  ['circle-ci', ['repository']],
  ['cirrus-ci', ['repository']],
  ['codecov', ['repository']],
  ['coveralls', ['repository']],
  ['gitlab', ['repository']],
  ['is-it-maintained-issue-resolution', ['repository']],
  ['is-it-maintained-open-issues', ['repository']],
  ['travis-ci', ['repository']],
]);

/** The values of the badge `maintenance`. */
const MAINTENANCE = new Set([
  'actively-developed',
  'passively-maintained',
  'as-is',
  'experimental',
  'looking-for-maintainer',
  'deprecated',
  'none',
]);

/** Returns true for a badge of a known type with all required attributes. */
function isKnownBadge(type: string, attributes: ReadonlyMap<string, string>): boolean {
  const required = REQUIRED.get(type);
  if (required === undefined || !required.every((name) => attributes.has(name))) return false;
  return (
    type !== 'maintenance' || MAINTENANCE.has(present(attributes.get('status'), 'the required attribute'))
  );
}

/** Splits badges into the valid ones (`known`) and the types of the others (`unknown`). */
export function splitBadges(badges: PublishMetadata['badges']): {
  readonly known: PublishMetadata['badges'];
  readonly unknown: readonly string[];
} {
  const entries = Array.from(badges);
  return {
    known: new Map(entries.filter(([type, attributes]) => isKnownBadge(type, attributes))),
    unknown: entries.filter(([type, attributes]) => !isKnownBadge(type, attributes)).map(([type]) => type),
  };
}
