import { describe, expect, it } from 'vitest';
import { Config } from '../../../src/io/config/config.ts';
import { type MinimumAgeSetting, minimumAges, parseMinimumAge } from '../../../src/io/config/publish-age.ts';
import { registryIndex } from '../../../src/io/config/registry-index.ts';
import { SourceTable } from '../../../src/core/package-id/source-table.ts';
import { MemoryFiles } from '../../helpers/memory-files.ts';
import { recordingContext } from '../../helpers/recording-report.ts';

const ALT = '[registries.alt-x]\nindex = "sparse+https://alt.test/"\n';
const GLOBAL = '[registry]\nglobal-min-publish-age = "7 days"\n';
const DAY_MS = 24 * 60 * 60 * 1000;

function configOf(text: string, env: Readonly<Record<string, string>> = {}): Config {
  const files = new MemoryFiles({ '/ws/.cargo/config.toml': text, '/ws/p/': '' });
  const { report } = recordingContext().context;
  return new Config({ cwd: '/ws/p', env: { HOME: '/home', ...env }, files, report });
}

const textOf = (age: MinimumAgeSetting | null | undefined): string | null =>
  age === 'off' ? 'off' : (age?.text ?? null);

function agesOf(text: string, env: Readonly<Record<string, string>> = {}) {
  const config = configOf(text, env);
  const ages = minimumAges(config);
  const sources = new SourceTable();
  return {
    cratesIo: textOf(ages?.minimumOf(sources.cratesIo())),
    named: textOf(ages?.minimumOf(registryIndex(config, 'alt-x', sources))),
    byUrl: textOf(ages?.minimumOf(new SourceTable().forRegistryIndex('sparse+https://alt.test/'))),
    common: textOf(ages?.common),
  };
}

describe('minimumAges', () => {
  it('prefers the age of the registry over the global one', () => {
    expect(agesOf(ALT + GLOBAL)).toEqual({
      ...{ cratesIo: '7 days', named: '7 days', byUrl: '7 days', common: '7 days' },
    });
    expect(agesOf(`${ALT}min-publish-age = "1 day"\n${GLOBAL}`)).toEqual({
      ...{ cratesIo: '7 days', named: '1 day', byUrl: '1 day', common: null },
    });
    expect(agesOf(`${ALT}min-publish-age = "0"\n${GLOBAL}`)).toMatchObject({
      cratesIo: '7 days',
      named: 'off',
    });
    expect(agesOf(`${ALT}[registries.crates-io]\nmin-publish-age = "2 days"`)).toMatchObject({
      ...{ cratesIo: '2 days', named: null },
    });
  });

  it('reads environment variables, also for registries without an age in any file', () => {
    const variables = {
      CARGO_REGISTRY_GLOBAL_MIN_PUBLISH_AGE: '3 days',
      CARGO_REGISTRIES_ALT_X_MIN_PUBLISH_AGE: '5 days',
      CARGO_REGISTRIES_CRATES_IO_MIN_PUBLISH_AGE: '1 week',
    };
    expect(agesOf(ALT + GLOBAL, variables)).toMatchObject({ cratesIo: '1 week', named: '5 days' });
    expect(agesOf(`${ALT}min-publish-age = "1 day"`, variables)).toMatchObject({ named: '5 days' });
    expect(agesOf(ALT, { CARGO_REGISTRY_GLOBAL_MIN_PUBLISH_AGE: '3 days' })).toMatchObject({
      ...{ cratesIo: '3 days', common: '3 days' },
    });
  });

  it('uses the longest age for an index URL that several registries share', () => {
    const other = '[registries.other]\nindex = "sparse+https://alt.test/"\nmin-publish-age = "2 days"\n';
    expect(agesOf(`${ALT}min-publish-age = "1 day"\n${other}`)).toMatchObject({
      named: '1 day',
      byUrl: '2 days',
    });
  });

  it('returns null unless an applicable key is set', () => {
    expect(minimumAges(configOf(ALT))).toBeNull();
    expect(minimumAges(configOf('[registry]\nmin-publish-age = "7 days"'))).toBeNull();
  });

  it.each([
    [`${ALT}min-publish-age = "x"\n${GLOBAL}`, {}, 'registries.alt-x.min-publish-age'],
    ['', { CARGO_REGISTRIES_Y_MIN_PUBLISH_AGE: 'x' }, 'registries.y.min-publish-age'],
    [GLOBAL, { CARGO_REGISTRY_GLOBAL_MIN_PUBLISH_AGE: '' }, 'registry.global-min-publish-age'],
  ])('throws if any age is invalid: %j %j', (text, env, key) => {
    expect(() => minimumAges(configOf(text, env))).toThrow(
      `invalid value for \`${key}\`: expected a value of`,
    );
  });
});

describe('parseMinimumAge', () => {
  it.each([
    ['1second', 1000],
    ['23 seconds', 23_000],
    ['5 minutes', 300_000],
    ['2 hours', 7_200_000],
    ['007 day', 7 * DAY_MS],
    ['2 weeks', 14 * DAY_MS],
    ['1 months', 2_629_746_000],
    ['0 days', 0],
  ])('parses %s', (text, ms) => {
    expect(parseMinimumAge('k', text)).toEqual({ ms, text });
  });

  it('returns `off` for 0', () => {
    expect(parseMinimumAge('k', '0')).toBe('off');
  });

  it.each(
    ['', '7', '00', 'day', '-1 days', '+1 day', '1.5 days', '1  day', ' 1 day', '1 day ', '1 Day'].concat([
      '1 year',
      '1 dayss',
      '1 day\n',
      '99999999999999999999 days',
      '٧ days',
    ]),
  )('refuses %j', (text) => {
    expect(() => parseMinimumAge('k', text)).toThrow('invalid value for `k`');
  });
});
