import { expect, it, vi } from 'vitest';

vi.mock('../../src/io/programs/program-file.ts', () => ({ isStandalone: true }));
vi.mock('node:fs', async (original) => ({
  ...(await original<object>()),
  readFileSync: () => {
    throw Object.assign(new Error('ENOENT'), { code: 'ENOENT', errno: -2 });
  },
}));

it('hideArguments does not fail without `/proc`', async () => {
  vi.spyOn(process, 'platform', 'get').mockReturnValue('linux');
  const { title } = process;
  const { hideArguments } = await import('../../src/cli/hide-arguments.ts');
  expect(() => hideArguments('tsreg')).not.toThrow();
  process.title = title;
});
