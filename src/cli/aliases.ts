/** Command aliases of the configuration. Cargo Book: Configuration, `[alias]`. */
import { TsregError } from '../core/errors/error.ts';
import type { Config } from '../io/config/config.ts';
import { programName } from '../io/config/environment.ts';
import type { Report } from '../core/report/report.ts';
import type { FlagValues } from '../commands/shared/flag.ts';
import { ignoringErrors } from './configure-run.ts';
import { type Grammar, parseArguments, type Parsed } from './parse-arguments.ts';

const SHADOWING_NOTE =
  'this was previously accepted but will become a hard error in the future; ' +
  'see <https://github.com/rust-lang/cargo/issues/10049>';

/** Inputs for the expansion of aliases. */
export interface AliasContext {
  readonly config: Config;
  /** The grammar of the command line that was parsed. */
  readonly grammar: Grammar;
  /** Returns the grammar of another command line, by its words. */
  readonly grammarOf: (words: readonly string[]) => Promise<Grammar>;
  readonly report: Report;
  /** Returns the absolute path of the external program `cargo-NAME`; null if there is none. */
  readonly findCustomCommand: (name: string) => Promise<string | null>;
}

/**
 * Replaces an alias in `parsed` by its expansion, which may contain other aliases. Throws `config` or a `UsageError` if
 * an alias is invalid or refers to itself. As in cargo: src/bin/cargo/cli.rs, expand_aliases.
 */
export async function expandAliases(parsed: Parsed, context: AliasContext): Promise<Parsed> {
  return await expand(parsed, context, []);
}

/**
 * Returns the words of each configured alias by its name, without those that are invalid. In compatibility mode, returns
 * an empty map if one is invalid, as cargo does.
 */
export function configuredAliases(config: Config): ReadonlyMap<string, readonly string[]> {
  const aliases = new Map<string, readonly string[]>();
  for (const name of ignoringErrors(() => config.table('alias'))?.keys() ?? []) {
    const words = ignoringErrors(() => readWords(name, config) ?? []);
    if (words !== null) aliases.set(name, words);
    else if (programName(config.env) === 'cargo') return new Map();
  }
  return aliases;
}

/** Returns the words of an alias; null if there is no such alias, or if it is invalid. */
export function aliasWords(name: string, config: Config): readonly string[] | null {
  return ignoringErrors(() => readAlias(name, config));
}

/** Expands the alias in `parsed`. `outerNames` are the aliases whose expansions contain it, outermost first. */
async function expand(parsed: Parsed, context: AliasContext, outerNames: readonly string[]): Promise<Parsed> {
  if (parsed.kind !== 'command') return parsed;
  // The name of a known command may have several words. An unknown one is a single word, even with spaces in it.
  const { unparsedArgs } = parsed;
  const name = unparsedArgs === null ? parsed.name.replace(/ .*/s, '') : parsed.name;
  if (context.grammar.commands.some((command) => command.name === name)) {
    checkBuiltIn(name, unparsedArgs, context);
    return parsed;
  }
  const alias = readAlias(name, context.config);
  if (alias === null) return parsed;
  const customCommand = await context.findCustomCommand(name);
  if (customCommand !== null) {
    context.report.warning({
      title: `user-defined alias \`${name}\` is shadowing an external subcommand found at \`${customCommand}\``,
      remarks: [{ label: 'note', text: SHADOWING_NOTE }],
    });
  }
  const words = [...alias, ...(unparsedArgs ?? [])];
  const grammar = await context.grammarOf(words);
  const parsedAlias = parseArguments(words, withoutProgramName(grammar));
  if (parsedAlias.kind === 'help') return parsedAlias;
  if (parsedAlias.kind === 'program') {
    throw invalid(`subcommand is required, add a subcommand to the command alias \`alias.${name}\``);
  }
  const names = [...outerNames, name];
  if (names.includes(parsedAlias.name)) {
    throw invalid(
      `alias ${outerNames[0] ?? name} has unresolvable recursive definition: ${names.join(' -> ')} -> ${parsedAlias.name}`,
    );
  }
  const expansion = await expand(parsedAlias, { ...context, grammar }, names);
  if (expansion.kind !== 'command') return expansion;
  return { ...expansion, values: mergeProgramFlags(parsed.values, expansion.values, grammar) };
}

/**
 * Warns about an alias with the name of a built-in command, unless it is invalid. If there is none, throws `config` for
 * arguments that were not parsed, because the command came after `--`.
 */
function checkBuiltIn(
  name: string,
  unparsedArgs: readonly string[] | null,
  { config, report }: AliasContext,
): void {
  if (aliasWords(name, config) !== null) {
    report.warning(`user-defined alias \`${name}\` is ignored, because it is shadowed by a built-in command`);
  } else if (unparsedArgs !== null) {
    throw invalid(
      `trailing arguments after built-in command \`${name}\` are unsupported: \`${unparsedArgs.join(' ')}\`\n\n` +
        'To pass the arguments to the subcommand, remove `--`',
    );
  }
}

/** Returns a grammar whose usage lines omit the program name, for errors in the expansion of an alias. */
function withoutProgramName(grammar: Grammar): Grammar {
  const commands = grammar.commands.map((command) => ({ ...command, invocation: command.name }));
  return { program: grammar.program, commands };
}

/** Merges the program flags before an alias into those of its expansion, which win. Lists and counts are joined. */
function mergeProgramFlags(before: FlagValues, expansion: FlagValues, grammar: Grammar): FlagValues {
  const merged = new Map(expansion);
  for (const flag of grammar.program.flags) {
    const valuesBefore = before.get(flag.name);
    if (valuesBefore === undefined) continue;
    const ownValues = expansion.get(flag.name);
    const isList = flag.kind === 'list' || flag.kind === 'count';
    merged.set(flag.name, isList ? [...valuesBefore, ...(ownValues ?? [])] : (ownValues ?? valuesBefore));
  }
  return merged;
}

/** Returns the words of an alias; null if there is no such alias. Throws `config` if it is empty or has a wrong type. */
function readAlias(name: string, config: Config): readonly string[] | null {
  const words = readWords(name, config);
  if (words?.length === 0) throw invalid(`subcommand is required, but \`alias.${name}\` is empty`);
  return words;
}

/**
 * Returns the words of an alias: a list of strings, or one string with spaces. Returns null if there is no such alias.
 * Throws `config` if it has another type.
 */
function readWords(name: string, config: Config): readonly string[] | null {
  const key = `alias.${name}`;
  return splitString(key, config) ?? config.list(key)?.map((word) => word.value) ?? null;
}

/** Returns the words of a string; null if the value is no string, so that it may be a list. */
function splitString(key: string, config: Config): readonly string[] | null {
  try {
    const text = config.string(key);
    return text === null ? null : text.value.split(/\s+/u).filter((word) => word !== '');
  } catch {
    return null;
  }
}

function invalid(message: string): TsregError {
  return new TsregError(message, { code: 'config' });
}
