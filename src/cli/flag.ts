/** What a flag is, and how a flag is spelled in messages. */

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
  /** Under which its values are found. */
  readonly name: string;
  /** Without dashes; null if there is only a short form. */
  readonly long: string | null;
  /** One character; null if there is only a long form. */
  readonly short: string | null;
  /** `switch` and `value` may be given once, `count` and `list` several times; `help` prints and ends. */
  readonly kind: 'switch' | 'count' | 'value' | 'list' | 'help';
  /** What help calls the value; null if it takes none. */
  readonly valueName: string | null;
  /** True where the flag may stand without its value. */
  readonly valueIsOptional?: boolean;
  /** True where the argument behind it is its value even if it begins with a dash. */
  readonly allowsDash?: boolean;
  /** Stands between several values in one. */
  readonly delimiter?: string;
  /** The only values allowed, if not any. */
  readonly values?: readonly string[];
  /** Allowed values may be written in any case. */
  readonly ignoresCase?: boolean;
  readonly help: string;
  /** What help says of it in compatibility mode, if cargo has the flag and other words for it. */
  readonly cargoHelp?: string;
  /** Under which heading help lists it. */
  readonly heading: FlagHeading;
  /** Allowed before and after the name of the command. */
  readonly global?: boolean;
  /** The name of a flag that may not be given as well. */
  readonly conflictsWith?: string;
  /** The name of a flag, or of a group of which one flag, must be given as well. */
  readonly requires?: string;
  /** The name of a group, of which only one flag may be given. */
  readonly group?: string;
  /** Another long name, which messages and help do not show. */
  readonly alias?: string;
  /** Its values are the arguments that belong to no other flag; there may be several unless its kind is `value`. */
  readonly isPositional?: boolean;
  /** With `isPositional`: its values are those behind `--`, and the others are not. */
  readonly isTrailing?: boolean;
  /** True where the command cannot be run without it. */
  readonly isRequired?: boolean;
  /** A positional flag that stands in brackets in every usage, as cargo has it where no value is a value, too. */
  readonly isAlwaysOptional?: boolean;
  /** True where an empty value counts as none. */
  readonly refusesEmpty?: boolean;
  /** Neither in help nor in usage. */
  readonly isHidden?: boolean;
  /** Only there where unstable flags are allowed, and refused without `-Z unstable-options`. */
  readonly unstable?: boolean;
  /** Always refused, in the words in which stable cargo refuses it. Only help in compatibility mode lists it. */
  readonly isUnsupported?: boolean;
  /** Not there with everything as cargo has it. */
  readonly isAbsentInCargo?: boolean;
  /** With everything as cargo has it, a positional flag that cargo has for one value alone. */
  readonly isSingleInCargo?: boolean;
  /** Not in help: it only exists to say which flag was meant. */
  readonly suggests?: string;
  /** Not in help: it only exists to be refused with these hints. */
  readonly tips?: readonly string[];
}

/** A flag without a value. */
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

/** A flag with a value. */
export function valueFlag(name: string, valueName: string, more: Partial<Flag> & { help: string }): Flag {
  return { name, long: name, short: null, kind: 'value', valueName, heading: 'Options', ...more };
}

/** Arguments that belong to no flag: `[SPEC]...`. */
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

/** True for a flag that is only there to be refused, so that help and usage do not know it. */
export function isOnlyRefused({ suggests, tips }: Flag): boolean {
  return suggests !== undefined || tips !== undefined;
}

/** True for a flag that is followed by a value. */
export function takesValue(flag: Flag): boolean {
  return flag.kind === 'value' || flag.kind === 'list';
}

/** A flag as messages show it: `--color <WHEN>`. */
export function spellFlag(flag: Flag): string {
  if (flag.isPositional === true) {
    const name = flag.isRequired === true ? `<${flag.valueName ?? ''}>` : `[${flag.valueName ?? ''}]`;
    return flag.kind === 'list' ? `${name}...` : name;
  }
  const name = flag.long === null ? `-${flag.short ?? ''}` : `--${flag.long}`;
  if (flag.valueName !== null) return `${name} ${spellValue(flag)}`;
  return flag.kind === 'count' ? `${name}...` : name;
}

/** A positional flag as usage shows it: `[SPEC]...`, or `[-- [args]...]` where only what is behind `--` counts. */
export function spellPlace(flag: Flag): string {
  return flag.isTrailing === true ? `[-- ${spellFlag(flag)}]` : spellFlag(flag);
}

/** What stands for the value of a flag: `<SPEC>`, or `[<SPEC>]` where it may be left out; empty if it takes none. */
export function spellValue({ valueName, valueIsOptional }: Flag): string {
  if (valueName === null) return '';
  return valueIsOptional === true ? `[<${valueName}>]` : `<${valueName}>`;
}
