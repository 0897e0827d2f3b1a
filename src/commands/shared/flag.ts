/** Flags, and their spelling in messages. */
import { present } from '../../core/errors/assert.ts';

/** The headings of flags in help. */
export type FlagHeading =
  | 'Arguments'
  | 'Options'
  | 'Package Selection'
  | 'Feature Selection'
  | 'Compilation Options'
  | 'Manifest Options'
  | 'Storage Options'
  | 'Publishing Rules'
  | 'Upstream Options'
  | 'Limits'
  | 'Monitoring'
  | 'Common Options';

/** One flag of the program or of a command. */
export interface Flag {
  /** The key of its values. */
  readonly name: string;
  /** Without dashes; null if there is only a short form. */
  readonly long: string | null;
  /** One character; null if there is only a long form. */
  readonly short: string | null;
  /** `switch` and `value` may be given once, `count` and `list` several times. `help` prints help and exits. */
  readonly kind: 'switch' | 'count' | 'value' | 'list' | 'help';
  /** The name of its value in help; null if it takes none. */
  readonly valueName: string | null;
  /** True if the flag may be given without its value. */
  readonly valueIsOptional?: boolean;
  /** True if the next argument is its value even if it starts with a dash. */
  readonly allowsDash?: boolean;
  /** Separates several values in one argument. */
  readonly delimiter?: string;
  /** The only allowed values; absent if any value is allowed. */
  readonly values?: readonly string[];
  /** True if allowed values may be written in any case. */
  readonly ignoresCase?: boolean;
  readonly help: string;
  /** Its help in compatibility mode, if cargo has the flag but describes it differently. */
  readonly cargoHelp?: string;
  /** The heading under which help lists it. */
  readonly heading: FlagHeading;
  /** True if it is allowed before and after the name of the command. */
  readonly global?: boolean;
  /** The name of a flag that must not be given as well. */
  readonly conflictsWith?: string;
  /** The name of a flag that must be given as well, or of a group of which one flag must be. */
  readonly requires?: string;
  /** The name of a group of which only one flag may be given. */
  readonly group?: string;
  /** Another long name, which messages and help do not show. */
  readonly alias?: string;
  /** True if its values are the arguments that belong to no other flag; several unless its kind is `value`. */
  readonly isPositional?: boolean;
  /** With `isPositional`: its values are exactly the arguments after `--`. */
  readonly isTrailing?: boolean;
  /** True if the command cannot run without it. */
  readonly isRequired?: boolean;
  /** True for a positional flag that is in brackets in every usage line, even if it was given. As in cargo. */
  readonly isAlwaysOptional?: boolean;
  /** True if an empty value counts as missing. */
  readonly refusesEmpty?: boolean;
  /** True if help and usage omit it. */
  readonly isHidden?: boolean;
  /** True if it exists only if unstable flags are allowed, and needs `-Z unstable-options`. */
  readonly unstable?: boolean;
  /** True if it is always rejected, as in stable cargo. Only help in compatibility mode lists it. */
  readonly isUnsupported?: boolean;
  /** True if it does not exist in compatibility mode. */
  readonly isAbsentInCargo?: boolean;
  /** True for a list that takes only one value in compatibility mode. */
  readonly isSingleInCargo?: boolean;
  /** The flag that was probably meant. This flag is always rejected with that suggestion, and help omits it. */
  readonly suggests?: string;
  /** Tips with which this flag is always rejected. It exists only in compatibility mode, and help omits it. */
  readonly tips?: readonly string[];
}

/**
 * Values of the given flags, by name of the flag. A switch has an empty string each time it is given; a flag without
 * its optional value adds none.
 */
export type FlagValues = ReadonlyMap<string, readonly string[]>;

/** Returns a flag without a value. */
export function switchFlag(name: string, help: string, more: Partial<Flag> = {}): Flag {
  return {
    name,
    long: name,
    short: null,
    kind: 'switch',
    valueName: null,
    help,
    heading: 'Options',
    ...more,
  };
}

/** Returns a flag with a value. */
export function valueFlag(name: string, valueName: string, more: Partial<Flag> & { help: string }): Flag {
  return { name, long: name, short: null, kind: 'value', valueName, heading: 'Options', ...more };
}

/** Returns a flag for arguments that belong to no other flag: `[SPEC]...`. */
export function positionalFlag(
  name: string,
  valueName: string,
  more: Partial<Flag> & { help: string },
): Flag {
  return {
    name,
    long: null,
    short: null,
    kind: 'list',
    valueName,
    isPositional: true,
    heading: 'Arguments',
    ...more,
  };
}

/** `-h`, which every command has. */
export const HELP_FLAG: Flag = {
  name: 'help',
  long: 'help',
  short: 'h',
  kind: 'help',
  valueName: null,
  help: 'Print help',
  heading: 'Options',
};

/** Returns true for a flag that exists only to be rejected. Help and usage omit it. */
export function isOnlyRefused({ suggests, tips }: Flag): boolean {
  return suggests !== undefined || tips !== undefined;
}

/** Returns true if a value follows the flag. */
export function takesValue(flag: Flag): boolean {
  return flag.kind === 'value' || flag.kind === 'list';
}

/** Returns the name of a positional flag: `SPEC`. */
export function positionalName({ valueName }: Flag): string {
  return present(valueName, 'the name of a positional flag');
}

/** Returns a flag without its value: the long form, or the short one if there is no other. */
export function dashedName({ long, short }: Flag): string {
  return long === null ? `-${present(short, 'the name of a flag')}` : `--${long}`;
}

/** Returns the spelling of a flag in messages: `--color <WHEN>`. */
export function spellFlag(flag: Flag): string {
  if (flag.isPositional === true) {
    const name = flag.isRequired === true ? `<${positionalName(flag)}>` : `[${positionalName(flag)}]`;
    return flag.kind === 'list' ? `${name}...` : name;
  }
  const name = dashedName(flag);
  if (flag.valueName !== null) return `${name} ${spellValue(flag)}`;
  return flag.kind === 'count' ? `${name}...` : name;
}

/** Returns a positional flag as in usage: `[SPEC]...`, or `[-- [args]...]` if it takes only arguments after `--`. */
export function spellPlace(flag: Flag): string {
  return flag.isTrailing === true ? `[-- ${spellFlag(flag)}]` : spellFlag(flag);
}

/** Returns the placeholder of a flag's value: `<SPEC>`, or `[<SPEC>]` if it is optional; empty without a value. */
export function spellValue({ valueName, valueIsOptional }: Flag): string {
  if (valueName === null) return '';
  return valueIsOptional === true ? `[<${valueName}>]` : `<${valueName}>`;
}
