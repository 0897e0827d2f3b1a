import type { Environment } from '../../src/io/config/environment.ts';
import { identify } from '../../src/commands/shared/identity.ts';
import type { Grammar } from '../../src/cli/parse-arguments.ts';
import { COMMANDS } from '../../src/cli/program.ts';
import { programGrammar } from '../../src/cli/program-grammar.ts';

/** Returns the grammar with every command, for the given environment. */
export async function wholeGrammar(env: Environment = {}): Promise<Grammar> {
  const names = COMMANDS.map(({ name }) => name);
  return await programGrammar(names, { commands: COMMANDS, identity: identify(env), env });
}
