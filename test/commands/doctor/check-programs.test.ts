import { expect, it } from 'vitest';
import { checkTsreg } from '../../../src/commands/doctor/check-programs.ts';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { projectRoot } from '../../helpers/project-root.ts';

it.each([
  ['20.19.0', 'ok'],
  ['26.0.0-nightly', 'ok'],
  ['20.18.9', 'error'],
  ['18.20.0', 'error'],
])('finds Node %s: %s', (version, status) => {
  expect(checkTsreg(version)).toMatchObject({ status, text: expect.stringContaining(`on Node ${version}`) });
});

it('names the release that package.json requires', () => {
  const text = readFileSync(path.join(projectRoot, 'package.json'), 'utf8');
  const required = /"node": ">=([\d.]+)"/.exec(text)?.[1];
  expect(checkTsreg('18.0.0').help).toBe(`install Node ${required} or later`);
});
