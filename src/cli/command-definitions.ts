/** What the reference in docs/ and man/ is made of, by scripts/command-reference.mjs. No part of the program. */
export { COMMAND_GROUPS, loadListed } from './command.ts';
export { documentationPage } from './documentation-file.ts';
export { EXAMPLES } from './examples.ts';
export { isOnlyRefused, spellFlag, spellValue } from './flag.ts';
export { commandUsage, inHelpOrder } from './help.ts';
export { identify } from './identity.ts';
export { COMMANDS } from './program.ts';
export { findCommandLine, programGrammar } from './program-grammar.ts';
