import { expect, it } from 'vitest';
import { copyEnvironment } from '../../src/cli/copy-environment.ts';

it('has the names of Windows in capitals, and others as they are', () => {
  const env = { Path: 'C:\\bin', cargo_home: 'D:\\home', HOME: 'x' };
  expect(copyEnvironment(env, 'win32')).toEqual({ PATH: 'C:\\bin', CARGO_HOME: 'D:\\home', HOME: 'x' });
  expect(copyEnvironment(env, 'linux')).toEqual(env);
  expect(copyEnvironment(env, 'linux')).not.toBe(env);
});
