import { expect, it } from 'vitest';
import { serverOptions } from '../../../src/commands/serve/server-options.ts';
import { loadConfig } from '../../../src/io/config/config.ts';
import { recordingContext } from '../../helpers/recording-report.ts';

function quotaOf(text: string): number | null | undefined {
  const { report } = recordingContext().context;
  const config = loadConfig({ cwd: '/', env: { CARGO_HOME: '/nothing' }, report });
  const values = new Map([
    ['upstream', ['crates-io']],
    ['upstream-quota', [text]],
  ]);
  return serverOptions({ values, config, offline: false }).upstream?.quotaBytes;
}

it.each([
  ['2GiB', 2 * 1024 ** 3],
  ['0', null],
  ['0GiB', null],
])('reads the quota of the upstream, where zero is no limit: %s', (text, bytes) => {
  expect(quotaOf(text)).toBe(bytes);
});
