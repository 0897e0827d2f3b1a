import { describe, expect, it } from 'vitest';
import { findCommand, listedNames, loadListed } from '../../../src/commands/shared/command.ts';
import { COMMANDS } from '../../../src/cli/program.ts';

describe('the list of commands', () => {
  it.each(COMMANDS)('loads $name as the command of that name', async (entry) => {
    expect((await entry.load()).name).toBe(entry.name);
  });

  it('hides only `help` and `complete` from users', async () => {
    const listed = await loadListed(COMMANDS);
    expect(listed.map(({ name }) => name)).toEqual(listedNames(COMMANDS));
    const unlisted = COMMANDS.filter((entry) => !listedNames(COMMANDS).includes(entry.name));
    expect(unlisted.map(({ name }) => name)).toEqual(['help', 'complete']);
  });
});

describe('findCommand', () => {
  it.each([
    ['metadata', 'metadata'],
    ['serve', 'serve'],
    ['serve token', 'token'],
    ['serve own-name add', 'add'],
  ])('finds %j', async (words, name) => {
    expect((await findCommand(words, COMMANDS))?.name).toBe(name);
  });

  it.each(['', 'metadat', 'serve nothing', 'metadata token', 'token', 'serve '])(
    'returns null for %j',
    async (words) => {
      expect(await findCommand(words, COMMANDS)).toBeNull();
    },
  );
});
