/**
 * Names of packages and registries. Cargo Book: The Manifest Format, The name field. Regular expressions with Unicode
 * properties are not constants, because creating one takes 0.1 ms, and not every run needs them.
 */
import { present } from '../errors/assert.ts';

/** A fast check that nearly all valid names pass. */
const ASCII_NAME = /^[A-Za-z_][\w-]*$/;

/** Returns cargo's message about an invalid package name; null if the name is valid. */
export function packageNameProblem(name: string): string | null {
  if (isValid(name)) return null;
  // Cargo's unstable open namespaces: each part is a name.
  for (const part of name.split('::')) {
    const problem = nameProblem(part, 'package name');
    if (problem !== null) return problem;
  }
  return null;
}

/** Returns cargo's message about an invalid registry name; null if the name is valid. */
export function registryNameProblem(name: string): string | null {
  return nameProblem(name, 'registry name');
}

/**
 * Returns the problem with a name under the rules of package names; null if it is valid. `what` is the kind of name.
 */
export function nameProblem(name: string, what: string): string | null {
  if (isValid(name)) return null;
  if (name === '') return `${what} cannot be empty`;
  const [first = '', ...others] = name;
  const invalid = (character: string, reason: string): string =>
    `invalid character \`${character}\` in ${what}: \`${name}\`, ${reason}`;
  if (/^[0-9]/.test(first)) return invalid(first, 'the name cannot start with a digit');
  if (!/^[\p{XID_Start}_]/u.test(first)) {
    return invalid(first, 'the first character must be a Unicode XID start character (most letters or `_`)');
  }
  return invalid(
    present(
      others.find((character) => !/^[\p{XID_Continue}-]/u.test(character)),
      'the invalid character',
    ),
    'characters must be Unicode XID characters (numbers, `-`, `_`, or most letters)',
  );
}

function isValid(name: string): boolean {
  return ASCII_NAME.test(name) || /^[\p{XID_Start}_][\p{XID_Continue}-]*$/u.test(name);
}
