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
  | 'Identity'
  | 'Storage Options'
  | 'Publishing Rules'
  | 'Upstream Options'
  | 'Limits'
  | 'Monitoring'
  | 'Common Options';

/** A flag of the program or of a command. */
export type Flag = SwitchFlag | RejectedFlag | NamedFlag | PositionalFlag;

/** A flag that takes a value. */
export type FlagWithValue = NamedFlag | PositionalFlag;

/** A flag without a value. `switch` may be given once, `count` several times. `help` prints help and exits. */
interface SwitchFlag extends BaseFlag {
  readonly kind: 'switch' | 'count' | 'help';
  readonly isPositional: false;
  readonly valueName: null;
}

/** A flag that is always rejected, with a tip on what to use instead. Help and usage omit it. */
export interface RejectedFlag extends BaseFlag {
  readonly kind: 'rejected';
  readonly isPositional: false;
  readonly valueName: null;
  readonly instead: Replacement;
}

/** The flag that was probably meant, with dashes; or cargo's tips for a flag that it does not support. */
type Replacement = { readonly flag: string } | { readonly tips: readonly string[] };

/** A flag with dashes and a value. */
interface NamedFlag extends BaseFlag, ValueRules {
  readonly isPositional: false;
}

/** A flag without dashes: its values are the arguments that belong to no other flag. */
export interface PositionalFlag extends BaseFlag, ValueRules {
  readonly isPositional: true;
  /** True if its values are exactly the arguments after `--`. */
  readonly isTrailing?: boolean;
  /** True if it is in brackets in every usage line, even if it was given. As in cargo. */
  readonly isAlwaysOptional?: boolean;
}

/** The properties of every flag. */
interface BaseFlag extends FlagRelations, FlagModes {
  /** The key of its values. */
  readonly name: string;
  /** The long name without dashes; null if there is none. */
  readonly long: string | null;
  /** The short name: one character without its dash; null if there is none. */
  readonly short: string | null;
  /** Another long name, which messages and help do not show. */
  readonly alias?: string;
  readonly help: string;
  /** The heading under which help lists it. */
  readonly heading: FlagHeading;
  /** True if help and usage omit it. */
  readonly isHidden?: boolean;
}

/** Rules for the combination of flags. */
interface FlagRelations {
  /** True if the command cannot run without it. */
  readonly isRequired?: boolean;
  /** The name of a flag that must not be given as well. */
  readonly conflictsWith?: string;
  /** The name of a flag that must be given as well, or of a group of which one flag must be. */
  readonly requires?: string;
  /** The name of a group of which only one flag may be given. */
  readonly group?: string;
}

/** Differences between tsreg's own mode and compatibility mode, and between stable and unstable. */
interface FlagModes {
  /** Its help in compatibility mode, if cargo has the flag but describes it differently. */
  readonly cargoHelp?: string;
  /** True if it does not exist in compatibility mode. */
  readonly isAbsentInCargo?: boolean;
  /** True if it exists only in compatibility mode. */
  readonly isOnlyInCargo?: boolean;
  /** True if it exists only if unstable flags are allowed, and needs `-Z unstable-options`. */
  readonly isUnstable?: boolean;
  /** True if its command always rejects it, as in stable cargo. Only help in compatibility mode lists it. */
  readonly isUnsupported?: boolean;
}

/** Rules for the values of a flag. */
interface ValueRules {
  /** `value` may be given once, `list` several times. */
  readonly kind: 'value' | 'list';
  /** True for a list that takes only one value in compatibility mode. */
  readonly isSingleInCargo?: boolean;
  /** The name of the value in help. */
  readonly valueName: string;
  /** True if the flag may be given without its value. */
  readonly valueIsOptional?: boolean;
  /** True if the next argument is its value even if it starts with a dash. */
  readonly allowsDash?: boolean;
  /** Separates several values in one argument. */
  readonly delimiter?: string;
  /** The only allowed values, in lower case with `ignoresCase`; absent if any value is allowed. */
  readonly values?: readonly string[];
  /** True if allowed values may be written in any case. */
  readonly ignoresCase?: boolean;
  /** True if an empty value counts as missing. */
  readonly refusesEmpty?: boolean;
}

/**
 * Values of the given flags, by name of the flag. A switch has an empty string each time it is given; a flag without
 * its optional value adds none.
 */
export type FlagValues = ReadonlyMap<string, readonly string[]>;

/** Returns a flag without a value. */
export function switchFlag(name: string, help: string, more: Partial<SwitchFlag> = {}): Flag {
  return {
    name,
    long: name,
    short: null,
    kind: 'switch',
    isPositional: false,
    valueName: null,
    help,
    heading: 'Options',
    ...more,
  };
}

/** Returns a flag that is always rejected. */
export function rejectedFlag(name: string, instead: Replacement, more: Partial<RejectedFlag> = {}): Flag {
  return {
    name,
    long: name,
    short: null,
    kind: 'rejected',
    isPositional: false,
    valueName: null,
    help: '',
    heading: 'Options',
    instead,
    ...more,
  };
}

/** Returns a flag with a value. It may be given once, unless its `kind` is `list`. */
export function valueFlag(
  name: string,
  valueName: string,
  more: Partial<NamedFlag> & Pick<NamedFlag, 'help'>,
): Flag {
  return {
    name,
    long: name,
    short: null,
    kind: 'value',
    isPositional: false,
    valueName,
    heading: 'Options',
    ...more,
  };
}

/** Returns a flag for arguments that belong to no other flag: `[SPEC]...`, or `[SPEC]` if its `kind` is `value`. */
export function positionalFlag(
  name: string,
  valueName: string,
  more: Partial<PositionalFlag> & Pick<PositionalFlag, 'help'>,
): Flag {
  return {
    name,
    long: null,
    short: null,
    kind: 'list',
    isPositional: true,
    valueName,
    heading: 'Arguments',
    ...more,
  };
}

/** `-h`, which every command has. */
export const HELP_FLAG: Flag = switchFlag('help', 'Print help', { short: 'h', kind: 'help' });

/** Returns true if a value follows the flag, or is the flag itself. */
export function takesValue(flag: Flag): flag is FlagWithValue {
  return flag.valueName !== null;
}

/** Returns true for a flag without dashes. */
export function isPositional(flag: Flag): flag is PositionalFlag {
  return flag.isPositional;
}

/** Returns a flag without its value: the long form, or the short one if there is no other. */
export function dashedName({ long, short }: Flag): string {
  return long === null ? `-${present(short, 'the name of a flag')}` : `--${long}`;
}

/** Returns the spelling of a flag in messages: `--color <WHEN>`. */
export function spellFlag(flag: Flag): string {
  if (flag.isPositional) {
    const name = flag.isRequired === true ? `<${flag.valueName}>` : `[${flag.valueName}]`;
    return flag.kind === 'list' ? `${name}...` : name;
  }
  const name = dashedName(flag);
  if (flag.valueName !== null) return `${name} ${spellValue(flag)}`;
  return flag.kind === 'count' ? `${name}...` : name;
}

/** Returns a positional flag as in usage: `[SPEC]...`, or `[-- [args]...]` if it takes only arguments after `--`. */
export function spellPositional(flag: PositionalFlag): string {
  return flag.isTrailing === true ? `[-- ${spellFlag(flag)}]` : spellFlag(flag);
}

/** Returns the placeholder of a flag's value: `<SPEC>`, or `[<SPEC>]` if it is optional; empty without a value. */
export function spellValue(flag: Flag): string {
  if (flag.valueName === null) return '';
  return flag.valueIsOptional === true ? `[<${flag.valueName}>]` : `<${flag.valueName}>`;
}
