/** The error for an unknown command. */
import { resolve } from 'node:path';
import type { Config } from '../io/config/config.ts';
import { TsregError } from '../core/errors/error.ts';
import { closestNameHint, likelyNames } from '../core/errors/similar-names.ts';
import { CARGO_ALIASES, CARGO_COMMANDS, RUST_COMPONENTS } from '../commands/shared/cargo-commands.ts';
import { configuredAliases } from './aliases.ts';
import type { Identity } from '../commands/shared/identity.ts';

/** The known commands, and the use of the unknown one. */
export interface UnknownCommandContext {
  readonly config: Config;
  readonly identity: Identity;
  /** Names of the known commands, including external ones, but not aliases. */
  readonly knownNames: readonly string[];
  /** The arguments after its name; null if only its help was requested. */
  readonly args: readonly string[] | null;
}

/** Commands of cargo's plugins, npm and other programs, with what tsreg has instead. */
const EQUIVALENTS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    'to show the dependencies, run `tsreg tree`': ['list', 'ls', 'deps', 'graph'],
    'to show which packages depend on another, run `tsreg tree --invert NAME`': ['rdeps', 'rev-deps'],
    'to show why a package is a dependency, run `tsreg why NAME`': ['explain'],
    'to show details of a package, run `tsreg info NAME`': ['show', 'view'],
    'to search a registry, run `tsreg search WORDS`': ['find', 'lookup'],
    'to save the source code of a crate, run `tsreg download --extract NAME`': ['clone', 'get'],
    'to update `Cargo.lock`, run `tsreg update`': ['upgrade'],
    'to create a new `Cargo.lock`, run `tsreg generate-lockfile`': ['lock'],
    'to download exactly the packages in `Cargo.lock`, run `tsreg fetch --locked`': ['ci', 'restore'],
    'to keep new projects from using a version, run `tsreg yank NAME@VERSION`': ['unpublish', 'deprecate'],
    'to unyank a version, run `tsreg yank --undo NAME@VERSION`': ['unyank'],
    'to log in to a registry, run `tsreg login`': ['adduser', 'signin', 'auth'],
    'to remove the stored token, run `tsreg logout`': ['signout'],
  }).flatMap(([hint, names]) => names.map((name) => [name, hint])),
);

const INSTALL_RUST_URL = 'https://www.rust-lang.org/tools/install';

/** Returns the error for an unknown command. For one of cargo's commands, it says that the command needs Rust. */
export function unknownCommand(
  name: string,
  { config, identity, knownNames, args }: UnknownCommandContext,
): TsregError {
  const { program } = identity;
  const isShim = config.env['TSREG_SHIM'] !== undefined;
  if ([...CARGO_COMMANDS, ...CARGO_ALIASES, ...RUST_COMPONENTS].includes(name)) {
    const missingCargo = isShim ? ', and no other `cargo` is on the PATH to run it' : '';
    return invalid(
      `\`${name}\` is not a command of tsreg: it needs the Rust toolchain${missingCargo}\n\n` +
        (isShim || program === 'cargo' ? '' : `help: run \`cargo ${name}\` on a machine with Rust\n`) +
        `help: install Rust: ${INSTALL_RUST_URL}\n` +
        `help: view tsreg's commands with \`${program} --list\``,
    );
  }
  const cargoNames = program === 'cargo' ? [...CARGO_COMMANDS, ...CARGO_ALIASES] : [];
  const names = [...knownNames, 'help', ...configuredAliases(config).keys(), ...cargoNames].toSorted();
  if (program === 'cargo' && args !== null && looksLikeScript(name)) {
    return unknownScript(name, { names, args, config });
  }
  if (program === 'cargo' && name.startsWith('+')) {
    return invalid(
      `no such command: \`${name}\`\n\nhelp: invoke \`cargo\` through \`rustup\` to handle \`+toolchain\` directives`,
    );
  }
  const searchHint =
    program === 'cargo'
      ? `\nhelp: find a package to install \`${name}\` with \`cargo search cargo-${name}\``
      : '';
  const shimHint = isShim
    ? `\nhelp: there is no other \`cargo\` on the PATH that could have it; Rust brings one: ${INSTALL_RUST_URL}`
    : '';
  const suggestion = program === 'cargo' ? cargoNameHint(name, names) : nameHint(name, names);
  return invalid(
    `no such command: \`${name}\`${suggestion}\n\n` +
      `help: view all installed commands with \`${program} --list\`${searchHint}${shimHint}`,
  );
}

/** Returns cargo's suggestion; empty if there is none. cargo suggests `fmt` for `rustfmt`, despite four edits. */
function cargoNameHint(name: string, names: readonly string[]): string {
  return name === 'rustfmt'
    ? closestNameHint('fmt', RUST_COMPONENTS, 'command')
    : closestNameHint(name, names, 'command');
}

/**
 * Suggests what tsreg has instead of another program's command, else the only command that starts with `name`, else one
 * with almost the same spelling, even if only cargo has it. Returns an empty string if there is none. cargo itself
 * allows three edits, and suggests `info` for `foo`.
 */
function nameHint(name: string, names: readonly string[]): string {
  const instead = EQUIVALENTS.get(name);
  if (instead !== undefined) return `\n\nhelp: ${instead}`;
  const [completed, ...others] = names.filter((known) => known.startsWith(name));
  if (completed !== undefined && others.length === 0) {
    return `\n\nhelp: a command that starts with this exists: \`${completed}\``;
  }
  return closestNameHint(name, likelyNames(name, [...names, ...CARGO_COMMANDS]), 'command');
}

/** Returns true if cargo reads the name as the file of a single-file package. Cargo Book: Unstable Features, script. */
function looksLikeScript(name: string): boolean {
  return /\/[^/]/.test(name) || /[^/]\.rs$/.test(name);
}

/** The context of a file name in place of a command. */
interface ScriptContext {
  readonly config: Config;
  /** All names of commands. */
  readonly names: readonly string[];
  /** The arguments after the name. */
  readonly args: readonly string[];
}

/** Returns cargo's error. If the name starts with that of a command, it suggests a space after the command. */
function unknownScript(name: string, { names, config, args }: ScriptContext): TsregError {
  if (config.files.kind(resolve(config.cwd, name)) === 'file') {
    return invalid(`running the file \`${name}\` requires \`-Zscript\``);
  }
  const [longest] = names.filter((known) => name.startsWith(known)).toSorted((a, b) => b.length - a.length);
  const meant = longest === undefined ? '' : [longest, name.slice(longest.length), ...args].join(' ');
  return invalid(
    `no such subcommand \`${name}\`` +
      (meant === '' ? '' : `\nhelp: there is a command with a similar name: \`${meant}\``),
  );
}

function invalid(message: string): TsregError {
  return new TsregError(message, { code: 'config' });
}
