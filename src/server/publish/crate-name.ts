/** Checks names of crates. Cargo Book: Registry Index, Name restrictions. */
import { canonicalName } from '../store/canonical-name.ts';

const MAX_NAME_CHARS = 64;

/** Names with another meaning: Rust's own crates, and device names of Windows. */
const RESERVED: ReadonlySet<string> = new Set(
  `alloc core std proc_macro test compiler_builtins
  nul con prn aux com0 com1 com2 com3 com4 com5 com6 com7 com8 com9
  lpt0 lpt1 lpt2 lpt3 lpt4 lpt5 lpt6 lpt7 lpt8 lpt9`.split(/\s+/),
);

/** Further names that crates.io reserves. */
const RESERVED_STRICTLY: ReadonlySet<string> = new Set(
  `arena ast builtins collections compiler_rt compiletest coretest debug driver flate fmt_macros grammar graphviz macro
  macros rbml rust_installer rustbook rustc rustc_back rustc_borrowck rustc_driver rustc_llvm rustc_resolve rustc_trans
  rustc_typeck rustdoc rustllvm rustuv serialize syntax unicode`.split(/\s+/),
);

/** Returns the problem of a name to publish; null if it is valid. */
export function crateNameProblem(name: string, { strict }: { readonly strict: boolean }): string | null {
  const problem = nameProblem(name, { what: 'crate name', mayStartWithUnderscore: false });
  if (problem !== null) return problem;
  const canonical = canonicalName(name);
  const isReserved = RESERVED.has(canonical) || (strict && RESERVED_STRICTLY.has(canonical));
  return isReserved ? `\`${name}\` is a reserved name, which no crate may use` : null;
}

/** Returns the problem of a dependency's name, or of its name in the manifest if `isExplicit`; null if it is valid. */
export function dependencyNameProblem(
  name: string,
  { isExplicit }: { readonly isExplicit: boolean },
): string | null {
  return nameProblem(name, { what: 'dependency name', mayStartWithUnderscore: isExplicit });
}

/** Returns the problem of a name in the words of crates.io; null if there is none. */
function nameProblem(
  name: string,
  { what, mayStartWithUnderscore }: { readonly what: string; readonly mayStartWithUnderscore: boolean },
): string | null {
  if (name === '') return `${what} cannot be empty`;
  if (name.length > MAX_NAME_CHARS) {
    return `the ${what} \`${name.slice(0, MAX_NAME_CHARS)}…\` is too long (max ${MAX_NAME_CHARS} characters)`;
  }
  if (/^[0-9]/.test(name)) {
    return `the name \`${name}\` cannot be used as a ${what}, the name cannot start with a digit`;
  }
  const invalid = (character: string, reason: string): string =>
    `invalid character \`${character}\` in ${what}: \`${name}\`, ${reason}`;
  if (!/^[A-Za-z]/.test(name) && !(mayStartWithUnderscore && name.startsWith('_'))) {
    return invalid(name.charAt(0), 'the first character must be an ASCII letter');
  }
  const invalidChar = /[^A-Za-z0-9_-]/u.exec(name);
  return invalidChar === null
    ? null
    : invalid(invalidChar[0], 'characters must be ASCII letters, digits, `-`, or `_`');
}
