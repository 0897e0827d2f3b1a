/** Exports for scripts/command-reference.mjs, which generates the reference in docs/ and man/. Not in the program. */
export { COMMAND_GROUPS, loadListed } from '../commands/shared/command.ts';
export { documentationPage } from './documentation-file.ts';
export { EXAMPLES } from './examples.ts';
export { spellFlag, spellValue } from '../commands/shared/flag.ts';
export { commandUsage, inHelpOrder } from './help.ts';
export { identify } from '../commands/shared/identity.ts';
export { COMMANDS } from './program.ts';
export { findCommandLine, programGrammar } from './program-grammar.ts';
