/** What the reference in docs/ and man/ is made of, by scripts/command-reference.mjs. No part of the program. */
export { loadListed } from './command.ts';
export { HELP_FLAG, isOnlyRefused, spellFlag, spellValue } from './flag.ts';
export { commandUsage, inHelpOrder } from './help.ts';
export { COMMANDS } from './program.ts';
export { GLOBAL_FLAGS, PROGRAM_FLAGS } from './shared-flags.ts';
