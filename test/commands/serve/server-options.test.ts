import { expect, it } from 'vitest';
import { serverOptions } from '../../../src/commands/serve/server-options.ts';
import { loadConfig } from '../../../src/io/config/config.ts';
import { recordingContext } from '../../helpers/recording-report.ts';

function optionsOf(flag: string, text: string): ReturnType<typeof serverOptions>['upstream'] {
  return allOptionsOf(flag, text).upstream;
}

function allOptionsOf(flag: string, text: string): ReturnType<typeof serverOptions> {
  const { report } = recordingContext().context;
  const config = loadConfig({ cwd: '/', env: { CARGO_HOME: '/nothing' }, report });
  const values = new Map([
    ['upstream', ['crates-io']],
    [flag, [text]],
  ]);
  return serverOptions({ values, config, offline: false });
}

it.each([
  ['2GiB', 2 * 1024 ** 3],
  ['0', null],
  ['0GiB', null],
])('reads the quota of the upstream, where zero is no limit: %s', (text, bytes) => {
  expect(optionsOf('upstream-quota', text)?.quotaBytes).toBe(bytes);
});

it.each([
  ['12h', 12 * 60 * 60 * 1000],
  ['3d', 3 * 24 * 60 * 60 * 1000],
  ['2w', 14 * 24 * 60 * 60 * 1000],
  ['0', null],
  ['0d', null],
])('reads the minimum age of versions, where zero is none: %s', (text, ms) => {
  expect(optionsOf('min-publish-age', text)?.gates.minAgeMs).toBe(ms);
});

it.each(['', '3', '3 d', '-3d', '3m', '999999d'])('refuses the minimum age `%s`', (text) => {
  expect(() => optionsOf('min-publish-age', text)).toThrow('expected an age, as in `12h`, `3d` or `2w`');
});

it('reads the rules for licenses', () => {
  expect(optionsOf('allow-license', 'MIT')?.gates).toMatchObject({
    allowedLicenses: ['MIT'],
    deniedLicenses: [],
  });
  expect(optionsOf('deny-license', 'MIT')?.gates).toMatchObject({
    allowedLicenses: [],
    deniedLicenses: ['MIT'],
  });
});

it('refuses to block advisories without a folder that has them', () => {
  expect(() => optionsOf('block-advisories', '')).toThrow('`--block-advisories` needs `--advisories`');
  expect(optionsOf('advisories', 'db')?.gates.blocksAdvisories).toBe(false);
});

it('reads how to show documentation: with scripts unless the flag says otherwise', () => {
  expect(allOptionsOf('documentation', 'static').documentation).toBe('static');
  expect(allOptionsOf('documentation', 'off').documentation).toBe('off');
  expect(allOptionsOf('upstream', 'crates-io').documentation).toBe('full');
});
