/**
 * Names of packages and registries. Cargo Book: The Manifest Format, The name field. Regular expressions with Unicode
 * properties are not constants: creating one takes 0.1 ms, and a run that reads no manifest needs none.
 */
import { present } from '../errors/assert.ts';

/** A fast check that nearly all names pass; the Unicode expressions are slower. */
const PLAIN = /^[A-Za-z_][\w-]*$/;

/** Returns cargo's message about an invalid package name; null if the name is valid. */
export function packageNameProblem(name: string): string | null {
  if (isValid(name)) return null;
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
  const [first = '', ...rest] = name;
  const invalid = (character: string, reason: string): string =>
    `invalid character \`${character}\` in ${what}: \`${name}\`, ${reason}`;
  if (/^[0-9]/.test(first)) return invalid(first, 'the name cannot start with a digit');
  if (!/^[\p{XID_Start}_]/u.test(first)) {
    return invalid(first, 'the first character must be a Unicode XID start character (most letters or `_`)');
  }
  return invalid(
    present(
      rest.find((character) => !/^[\p{XID_Continue}-]/u.test(character)),
      'the invalid character',
    ),
    'characters must be Unicode XID characters (numbers, `-`, `_`, or most letters)',
  );
}

function isValid(name: string): boolean {
  return PLAIN.test(name) || /^[\p{XID_Start}_][\p{XID_Continue}-]*$/u.test(name);
}
