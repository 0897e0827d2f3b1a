import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { checkTargetSettings } from '../../../../src/commands/shared/platform/target-settings.ts';
import { loadConfig } from '../../../../src/io/config/config.ts';
import { recordingContext } from '../../../helpers/recording-report.ts';
import { makeTempDir } from '../../../helpers/temp-dir.ts';

it('treats a key as unknown even if every JavaScript object has it', () => {
  const temp = makeTempDir('target-settings');
  mkdirSync(path.join(temp.path, '.cargo'));
  const text = "[target.'cfg(unix)']\nconstructor = 1\n[target.x.toString]\nwarning = 'no'\n";
  writeFileSync(path.join(temp.path, '.cargo/config.toml'), text);
  const { context, lines } = recordingContext();
  const config = loadConfig({ cwd: temp.path, env: { CARGO_HOME: temp.path }, report: context.report });
  const check = (requested: readonly string[]): void =>
    checkTargetSettings(config, { host: () => 'host', requested }, context);
  check([]);
  expect(lines).toEqual(['warning: unused key `constructor` in [target] config table `cfg(unix)`']);
  expect(() => check(['x'])).toThrow('`warning` is not supported in build script overrides');
  temp.remove();
});
