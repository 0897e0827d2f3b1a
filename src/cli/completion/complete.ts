/**
 * `complete`: the program's side of the scripts of `completions`. The words after `--` are a command line without the
 * program's name; the last one is unfinished. The first line of the output is `words`, `files`, `files .crate` or
 * `folders`. After `words`, each line is a word, with a tab and a description if there is one.
 */
import { aliasNames, aliasWords } from '../aliases.ts';
import {
  type Command,
  findCommand,
  type Invocation,
  loadListed,
  valuesOf,
} from '../../commands/shared/command.ts';
import { positionalFlag } from '../../commands/shared/flag.ts';
import { sanitizeForTerminal } from '../../core/errors/sanitize-for-terminal.ts';
import { programGrammar } from '../program-grammar.ts';

/** The flags of `tsreg complete`, and its run. */
export const COMPLETE: Command = {
  name: 'complete',
  about: 'Print the possible next words of a command line',
  supportedGlobalFlags: [],
  flags: [positionalFlag('words', 'WORD', { isTrailing: true, help: 'Words of the command line' })],
  run,
};

/** Shells that omit empty arguments send this instead. */
const EMPTY = '""';

async function run({ values, identity, config, shell, commands: entries }: Invocation): Promise<void> {
  const { readWords } = await import('../completion/read-words.ts');
  const { offerAt } = await import('../completion/candidates.ts');
  const words = valuesOf(values, 'words').map((word) => (word === EMPTY ? '' : word));
  // The expansion of an alias may name any of them.
  const everyName = entries.map(({ name }) => name);
  const grammar = await programGrammar(everyName, { commands: entries, identity, env: config.env });
  const alias = (name: string): readonly string[] | null => aliasWords(name, config);
  const place = readWords(words, { grammar, alias });
  const offer = await offerAt(place, words.at(-1) ?? '', {
    async commands(name) {
      const commands =
        name === '' ? await loadListed(entries) : ((await findCommand(name, entries))?.subcommands ?? []);
      const own = commands.map((command) => ({ word: command.name, about: command.about }));
      if (name !== '') return own;
      const help = { word: 'help', about: 'Print help for a command' };
      return [...own, help, ...aliasNames(config).map((word) => ({ word, about: 'Alias' }))];
    },
    async names(kind) {
      const { namesToComplete } = await import('../../commands/complete/run.ts');
      const manifestPath = place.values.get('manifest-path')?.at(-1) ?? null;
      const packages = place.values.get('package') ?? [];
      try {
        return await namesToComplete(kind, { config, manifestPath, packages });
      } catch {
        // Completion must not interrupt the user with errors of the workspace.
        return [];
      }
    },
  });
  if (offer.kind === 'words') {
    const lines = offer.candidates.map(({ word, about }) =>
      [word, about ?? '']
        .map((text) => sanitizeForTerminal(text, 'join'))
        .join('\t')
        .trimEnd(),
    );
    shell.writeOut(['words', ...lines].map((line) => `${line}\n`).join(''));
  } else {
    const extension = offer.kind === 'files' && offer.extension !== null ? ` ${offer.extension}` : '';
    shell.writeOut(`${offer.kind}${extension}\n`);
  }
}
