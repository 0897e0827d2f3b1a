import { expect, it } from 'vitest';
import { copyEnvironment } from '../../../src/io/config/copy-environment.ts';

it('copies the environment, with upper-case names on Windows', () => {
  const env = { Path: 'C:\\bin', cargo_home: 'D:\\home', HOME: 'x' };
  expect(copyEnvironment(env, 'win32')).toEqual({ PATH: 'C:\\bin', CARGO_HOME: 'D:\\home', HOME: 'x' });
  expect(copyEnvironment(env, 'linux')).toEqual(env);
  expect(copyEnvironment(env, 'linux')).not.toBe(env);
});
