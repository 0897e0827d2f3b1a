import { expect, it } from 'vitest';
import { commandHelp, programHelp } from '../../src/cli/help.ts';
import { findCommand, loadListed } from '../../src/cli/command.ts';
import { COMMANDS } from '../../src/cli/program.ts';

it.each([60, 80, 200])(
  'is no wider than a terminal of %d columns, and never wider than 100',
  async (width) => {
    const target = { invocation: 'tsreg', color: false, width };
    const texts = [programHelp(await loadListed(COMMANDS), [], target)];
    for (const name of ['metadata', 'publish', 'yank']) {
      const command = await findCommand(name, COMMANDS);
      if (command !== null) texts.push(commandHelp(command, command.flags, target));
    }
    const longest = Math.max(
      ...texts
        .join('\n')
        .split('\n')
        .map((line) => line.length),
    );
    expect(longest).toBeLessThanOrEqual(Math.min(width, 100));
    expect(longest).toBeGreaterThan(Math.min(width, 100) - 20);
  },
);
