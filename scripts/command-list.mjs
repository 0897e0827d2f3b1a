// The commands of the program as values, from the definitions that produce `--help`.
import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const root = path.dirname(import.meta.dirname);

const LIST = path.join(root, 'src/cli/program.ts');

async function loadDefinitions() {
  const folder = path.join(root, '.tmp');
  mkdirSync(folder, { recursive: true });
  const outfile = path.join(folder, `commands-${process.pid}.mjs`);
  try {
    await build({
      entryPoints: [path.join(root, 'src/cli/command-definitions.ts')],
      outfile,
      bundle: true,
      packages: 'external',
      // The command list loads the flags of each command, which are needed. Every other `import()` loads the
      // implementation of a command, which is not.
      plugins: [
        {
          name: 'definitions-only',
          setup: (builder) =>
            builder.onResolve({ filter: /./ }, ({ kind, path: name, importer }) =>
              kind === 'dynamic-import' && importer !== LIST ? { path: name, external: true } : null,
            ),
        },
      ],
      platform: 'node',
      format: 'esm',
      logLevel: 'warning',
    });
    return await import(pathToFileURL(outfile).href);
  } finally {
    rmSync(outfile, { force: true });
  }
}

/** Returns a flag as help spells it: `-p, --package [<SPEC>]`. */
function spellTerm(flag, { spellFlag, spellValue }) {
  if (flag.isPositional === true) return flag.isTrailing === true ? `-- ${spellFlag(flag)}` : spellFlag(flag);
  const names = [flag.short && `-${flag.short}`, flag.long && `--${flag.long}`].filter(Boolean).join(', ');
  const value = spellValue(flag);
  return `${names}${value === '' ? '' : ` ${value}`}`;
}

function describeFlags(flags, definitions) {
  return definitions
    .inHelpOrder(flags)
    .filter((flag) => flag.kind !== 'rejected' && flag.isHidden !== true)
    .map((flag) => ({
      name: flag.name,
      term: spellTerm(flag, definitions),
      help: flag.help,
      values: flag.values ?? [],
      heading: flag.heading,
    }));
}

const isGlobal = ({ heading }) => heading === 'Common Options';

function describeCommand(command, parents, { definitions, grammar }) {
  const words = [...parents, command.name];
  const name = words.join(' ');
  const { flags } = definitions.findCommandLine(grammar, name);
  const { subcommands = [] } = command;
  return {
    words,
    name,
    about: command.about,
    isHidden: command.isHidden === true,
    group: command.group ?? null,
    usage: `tsreg ${name} ${definitions.commandUsage(command, flags)}`,
    flags: describeFlags(flags, definitions).filter((flag) => !isGlobal(flag)),
    globalFlags: describeFlags(flags, definitions).filter(isGlobal),
    hasAllGlobalFlags: command.supportedGlobalFlags === undefined,
    examples: definitions.EXAMPLES[name] ?? [],
    documentation: definitions.documentationPage(name),
    subcommands: subcommands.map((each) => describeCommand(each, words, { definitions, grammar })),
  };
}

/**
 * Returns the commands and flags that help shows. Each of `commands` has `words`, `name` (the words joined), `about`,
 * `usage`, `group`, `flags` (`term`, `help`, `values`, `heading`), `globalFlags` (those that have an effect on it),
 * `hasAllGlobalFlags`, `examples` (`purpose`, `line`), `documentation` and `subcommands` of the same form. The outer
 * `globalFlags` are accepted by every command, `programFlags` only before a command. `groups` are the headings of the
 * commands, `examples` those of the program.
 */
export async function loadCommands() {
  const definitions = await loadDefinitions();
  const { COMMANDS, COMMAND_GROUPS, EXAMPLES, identify, loadListed, programGrammar } = definitions;
  const commands = await loadListed(COMMANDS);
  // The texts of help in tsreg's own mode.
  const source = { commands: COMMANDS, identity: identify({}), env: {} };
  const grammar = await programGrammar(
    COMMANDS.map(({ name }) => name),
    source,
  );
  const flags = describeFlags(grammar.program.flags, definitions);
  return {
    commands: commands.map((command) => describeCommand(command, [], { definitions, grammar })),
    globalFlags: flags.filter(isGlobal),
    programFlags: flags.filter((flag) => !isGlobal(flag)),
    groups: COMMAND_GROUPS,
    examples: EXAMPLES[''],
    documentation: definitions.documentationPage(null),
  };
}

/** Returns the commands and all their subcommands in order, without those that help hides. */
export function flattenCommands(commands) {
  return commands
    .filter(({ isHidden }) => !isHidden)
    .flatMap((command) => [command, ...flattenCommands(command.subcommands)]);
}
