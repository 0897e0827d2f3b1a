/** The error for an unknown command. */
import { resolve } from 'node:path';
import type { Config } from '../io/config/config.ts';
import { TsregError } from '../core/errors/error.ts';
import { closestNameHint, likelyNames } from '../core/errors/similar-names.ts';
import { CARGO_ALIASES, CARGO_COMMANDS, RUST_COMPONENTS } from '../commands/shared/cargo-commands.ts';
import { aliasNames } from './aliases.ts';
import type { Identity } from '../commands/shared/identity.ts';

/** The known commands, and the arguments of the unknown one. */
export interface UnknownCommandContext {
  readonly config: Config;
  readonly identity: Identity;
  /** The known commands, including external ones. */
  readonly known: readonly string[];
  /** The arguments after its name; null if it was not to be run. */
  readonly rest: readonly string[] | null;
}

const INSTALL = 'https://www.rust-lang.org/tools/install';

/** Returns the error for an unknown command. For one of cargo's commands, it says that the command needs Rust. */
export function unknownCommand(
  name: string,
  { config, identity, known, rest }: UnknownCommandContext,
): TsregError {
  const { program } = identity;
  const isShim = config.env['TSREG_SHIM'] !== undefined;
  if ([...CARGO_COMMANDS, ...CARGO_ALIASES, ...RUST_COMPONENTS].includes(name)) {
    const where = isShim ? ', and no other `cargo` is on the PATH to run it' : '';
    return invalid(
      `\`${name}\` is not a command of tsreg: it needs the Rust toolchain${where}\n\n` +
        (isShim || program === 'cargo' ? '' : `help: run \`cargo ${name}\` on a machine with Rust\n`) +
        `help: install Rust: ${INSTALL}\n` +
        `help: view tsreg's commands with \`${program} --list\``,
    );
  }
  const others = program === 'cargo' ? [...CARGO_COMMANDS, ...CARGO_ALIASES] : [];
  const names = [...known, 'help', ...aliasNames(config), ...others].toSorted();
  if (program === 'cargo' && rest !== null && looksLikeScript(name)) {
    return unknownScript(name, { names, rest, config });
  }
  if (program === 'cargo' && name.startsWith('+')) {
    return invalid(
      `no such command: \`${name}\`\n\nhelp: invoke \`cargo\` through \`rustup\` to handle \`+toolchain\` directives`,
    );
  }
  const search =
    program === 'cargo'
      ? `\nhelp: find a package to install \`${name}\` with \`cargo search cargo-${name}\``
      : '';
  const another = isShim
    ? `\nhelp: there is no other \`cargo\` on the PATH that could have it; Rust brings one: ${INSTALL}`
    : '';
  return invalid(
    `no such command: \`${name}\`${program === 'cargo' ? cargoHint(name, names) : meantHint(name, names)}\n\n` +
      `help: view all installed commands with \`${program} --list\`${search}${another}`,
  );
}

/** Returns cargo's suggestion. */
function cargoHint(name: string, names: readonly string[]): string {
  return name === 'rustfmt'
    ? closestNameHint('fmt', RUST_COMPONENTS, 'command')
    : closestNameHint(name, names, 'command');
}

/**
 * Suggests the only command that starts with `name`, else one with almost the same spelling, even if only cargo has it.
 * cargo itself allows three edits, and suggests `info` for `foo`.
 */
function meantHint(name: string, names: readonly string[]): string {
  const [begun, ...others] = names.filter((each) => each.startsWith(name));
  if (begun !== undefined && others.length === 0)
    return `\n\nhelp: a command that starts with this exists: \`${begun}\``;
  return closestNameHint(name, likelyNames(name, [...names, ...CARGO_COMMANDS]), 'command');
}

/** Returns true if cargo interprets the name as the file of a single-file package. */
function looksLikeScript(name: string): boolean {
  return /\/[^/]/.test(name) || /[^/]\.rs$/.test(name);
}

function unknownScript(
  name: string,
  {
    names,
    config,
    rest,
  }: { readonly names: readonly string[]; readonly config: Config; readonly rest: readonly string[] },
): TsregError {
  if (config.files.kind(resolve(config.cwd, name)) === 'file') {
    return invalid(`running the file \`${name}\` requires \`-Zscript\``);
  }
  const [command] = names.filter((each) => name.startsWith(each)).toSorted((a, b) => b.length - a.length);
  const meant = command === undefined ? '' : [command, name.slice(command.length), ...rest].join(' ');
  return invalid(
    `no such subcommand \`${name}\`` +
      (meant === '' ? '' : `\nhelp: there is a command with a similar name: \`${meant}\``),
  );
}

function invalid(message: string): TsregError {
  return new TsregError(message, { code: 'config' });
}
