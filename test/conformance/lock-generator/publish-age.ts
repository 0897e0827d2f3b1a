import type { CrateDecl } from '../../helpers/crate.ts';
import type { Scenario } from '../../helpers/scenario.ts';
import { pick } from '../generator/pick.ts';

/** Sets cargo's current time, and enables minimum ages in releases that only have them on nightly. */
const variables = {
  __CARGO_TEST_CHANNEL_OVERRIDE_DO_NOT_USE_THIS: 'nightly',
  CARGO_UNSTABLE_MIN_PUBLISH_AGE: 'true',
  __CARGO_TEST_INVOCATION_TIME: '2026-11-20T12:00:00Z',
};

const times = [
  '2026-01-01T00:00:00Z',
  '2026-11-19T00:00:00Z',
  '2025-02-28T23:59:59Z',
  '2026-11-13T12:00:00Z',
  null,
  '2026-11-20T11:58:30Z',
  '2026-10-21T03:00:00Z',
  '2026-11-18T00:00:00Z',
];

/** Returns the variables that set the minimum age of all versions and its effect. */
export function ageVariables(number: number): Readonly<Record<string, string>> {
  const age = pick(['7 days', '36 hours', '1 month', '2 weeks', '90 seconds', '0', '7'], number);
  const isAllowed = number % 8 === 7;
  return {
    ...variables,
    CARGO_REGISTRY_GLOBAL_MIN_PUBLISH_AGE: age,
    ...(isAllowed ? { CARGO_RESOLVER_INCOMPATIBLE_PUBLISH_AGE: 'allow' } : {}),
  };
}

/** Returns the files, in some cases with a configuration that sets the minimum age of one registry. */
export function withAgeOfRegistry(files: Scenario['files'], number: number): Scenario['files'] {
  const age = pick([null, null, '1 day', null, '0'], number);
  const path = '.cargo/config.toml';
  const text = files[path] ?? '';
  if (age === null || typeof text !== 'string') return files;
  return { ...files, [path]: `${text}\n[registries.crates-io]\nmin-publish-age = "${age}"\n` };
}

/** Returns the crate with a time of publication, or unchanged for some crates. */
export function dated(crate: CrateDecl): CrateDecl {
  const text = `${crate.name} ${crate.version}`;
  const pubtime = pick(
    times,
    Array.from(text).reduce((sum, character) => sum + (character.codePointAt(0) ?? 0), 0),
  );
  return pubtime === null ? crate : { ...crate, index: { ...crate.index, pubtime } };
}
