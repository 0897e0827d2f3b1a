import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { identify } from '../../src/commands/shared/identity.ts';
import { type Grammar, parseArguments } from '../../src/cli/parse-arguments.ts';
import { COMMANDS } from '../../src/cli/program.ts';
import { programGrammar } from '../../src/cli/program-grammar.ts';
import { UsageError } from '../../src/commands/shared/usage-error.ts';
import { wholeGrammar } from '../helpers/whole-grammar.ts';

const WORDS = [
  ...['metadata', 'tree', 'serve', 'token', 'own-name', 'add', 'help', 'nothing', 'metadat', ''],
  ...[
    '--no-deps',
    '--no-dep',
    '--color',
    'always',
    '--format',
    '-q',
    '-qp',
    '-h',
    '--help',
    '--',
    '-Zx',
    '-V',
  ],
];

function outcome(args: readonly string[], grammar: Grammar): unknown {
  try {
    return parseArguments(args, grammar);
  } catch (error) {
    if (error instanceof UsageError) return error.message;
    throw error;
  }
}

describe('programGrammar', () => {
  it('contains only the commands that the command line names', async () => {
    const source = { commands: COMMANDS, identity: identify({}), env: {} };
    const { commands } = await programGrammar(['-q', 'tree', 'nothing', 'metadata'], source);
    expect(commands.map(({ name }) => name)).toEqual(['metadata', 'tree']);
  });

  it('parses any command line like the grammar of all commands', async () => {
    const whole = await wholeGrammar();
    const source = { commands: COMMANDS, identity: identify({}), env: {} };
    const line = fc.array(fc.constantFrom(...WORDS), { maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(line, async (args) => {
        expect(outcome(args, await programGrammar(args, source))).toEqual(outcome(args, whole));
      }),
      { numRuns: 1000 },
    );
  });
});
