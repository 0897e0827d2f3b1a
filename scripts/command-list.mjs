// The commands of the program as values, from the definitions that `--help` is made of.
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
      // The flags of a command are loaded by the list of commands. What it does is loaded by itself, and is not wanted here.
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

/** `-p, --package [<SPEC>]` */
function spellTerm(flag, { spellFlag, spellValue }) {
  if (flag.isPositional === true) return flag.isTrailing === true ? `-- ${spellFlag(flag)}` : spellFlag(flag);
  const names = [flag.short && `-${flag.short}`, flag.long && `--${flag.long}`].filter(Boolean).join(', ');
  const value = spellValue(flag);
  return `${names}${value === '' ? '' : ` ${value}`}`;
}

function describeFlags(flags, definitions) {
  return definitions
    .inHelpOrder(flags)
    .filter((flag) => !definitions.isOnlyRefused(flag) && flag.isHidden !== true && flag.unstable !== true)
    .map((flag) => ({
      name: flag.name,
      term: spellTerm(flag, definitions),
      help: flag.help,
      values: flag.values ?? [],
      heading: flag.heading,
    }));
}

function describeCommand(command, parents, definitions) {
  const words = [...parents, command.name];
  const { flags, subcommands = [] } = command;
  return {
    words,
    name: words.join(' '),
    about: command.about,
    isHidden: command.isHidden === true,
    heeds: command.heeds ?? null,
    usage: `tsreg ${words.join(' ')} ${definitions.commandUsage(command, [...flags, definitions.HELP_FLAG])}`,
    flags: describeFlags(flags, definitions),
    subcommands: subcommands.map((each) => describeCommand(each, words, definitions)),
  };
}

/**
 * `commands`: each with `words`, `name` (the words), `about`, `usage`, `flags` (`term`, `help`, `values`, `heading`)
 * and `subcommands`, which look the same. `globalFlags`: those that every command has. `programFlags`: those that
 * stand before a command only.
 */
export async function loadCommands() {
  const definitions = await loadDefinitions();
  const { COMMANDS, loadListed, GLOBAL_FLAGS, PROGRAM_FLAGS, HELP_FLAG } = definitions;
  const commands = await loadListed(COMMANDS);
  return {
    commands: commands.map((command) => describeCommand(command, [], definitions)),
    globalFlags: describeFlags([...GLOBAL_FLAGS, HELP_FLAG], definitions),
    programFlags: describeFlags(PROGRAM_FLAGS, definitions),
  };
}

/** The commands and everything below them, in order, without those that help hides. */
export function flattenCommands(commands) {
  return commands
    .filter(({ isHidden }) => !isHidden)
    .flatMap((command) => [command, ...flattenCommands(command.subcommands)]);
}
