/**
 * `complete`: the program's side of the scripts of `completions`. The words after `--` are a command line without the
 * program's name; the last one is unfinished. The first line of the output is `words`, `files`, `files .crate` or
 * `folders`. After `words`, each line is a word, with a tab and a description if there is one.
 */
import type { NameKind } from '../../commands/complete/run.ts';
import { aliasWords, configuredAliases } from '../aliases.ts';
import {
  type Command,
  findCommand,
  HELP_ABOUT,
  type Invocation,
  loadListed,
  valueOf,
  valuesOf,
} from '../../commands/shared/command.ts';
import { positionalFlag } from '../../commands/shared/flag.ts';
import { sanitizeForTerminal } from '../../core/errors/sanitize-for-terminal.ts';
import type { Config } from '../../io/config/config.ts';
import { programGrammar } from '../program-grammar.ts';
import type { Candidate, Offer } from './candidates.ts';
import type { Place } from './read-words.ts';

/** The flags of `tsreg complete`, and its run. */
export const COMPLETE: Command = {
  name: 'complete',
  about: 'Print the possible next words of a command line',
  supportedGlobalFlags: [],
  flags: [positionalFlag('words', 'WORD', { isTrailing: true, help: 'Words of the command line' })],
  run,
};

/** Shells that omit empty arguments send this instead. */
const EMPTY_ARGUMENT = '""';

async function run(invocation: Invocation): Promise<void> {
  const { values, identity, config, shell, commands } = invocation;
  const { readWords } = await import('./read-words.ts');
  const { offerAt } = await import('./candidates.ts');
  const words = valuesOf(values, 'words').map((word) => (word === EMPTY_ARGUMENT ? '' : word));
  // The expansion of an alias may name any command.
  const commandNames = commands.map(({ name }) => name);
  const grammar = await programGrammar(commandNames, { commands, identity, env: config.env });
  const place = readWords(words, { grammar, alias: (name) => aliasWords(name, config) });
  const offer = await offerAt(place, words.at(-1) ?? '', {
    commands: (command) => commandCandidates(command, invocation),
    names: (kind) => namesAt(place, kind, config),
  });
  shell.writeOut(formatOffer(offer));
}

/** Returns the subcommands of a command; with an empty string, the commands and aliases of the program. */
async function commandCandidates(
  command: string,
  { commands, config }: Invocation,
): Promise<readonly Candidate[]> {
  if (command !== '') {
    const subcommands = (await findCommand(command, commands))?.subcommands ?? [];
    return subcommands.map(({ name, about }) => ({ word: name, about }));
  }
  const listed = await loadListed(commands);
  return [
    ...listed.map(({ name, about }) => ({ word: name, about })),
    { word: 'help', about: HELP_ABOUT },
    ...Array.from(configuredAliases(config).keys(), (word) => ({ word, about: 'Alias' })),
  ];
}

/** Returns names of a kind; empty if the workspace or the configuration is invalid. */
async function namesAt({ values }: Place, kind: NameKind, config: Config): Promise<readonly string[]> {
  const { namesToComplete } = await import('../../commands/complete/run.ts');
  const manifestPath = valueOf(values, 'manifest-path');
  try {
    return await namesToComplete(kind, { config, manifestPath, packages: valuesOf(values, 'package') });
  } catch {
    // Completion must not interrupt the user with errors of the workspace.
    return [];
  }
}

/** Returns the output for a completion script. */
function formatOffer(offer: Offer): string {
  if (offer.kind === 'folders') return 'folders\n';
  if (offer.kind === 'files') return offer.extension === null ? 'files\n' : `files ${offer.extension}\n`;
  const lines = offer.candidates.map(({ word, about }) => {
    const fields = about === null ? [word] : [word, about];
    return fields
      .map((text) => sanitizeForTerminal(text, 'join'))
      .join('\t')
      .trimEnd();
  });
  return ['words', ...lines].map((line) => `${line}\n`).join('');
}
