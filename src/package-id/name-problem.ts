/**
 * Names of packages and registries. Cargo Book: The Manifest Format, The name field. Expressions with properties of Unicode
 * stand where they are used: to make one takes a tenth of a millisecond, and a run that reads no manifest asks for none.
 */

/** As nearly all names are: what Unicode has to say of characters takes its time. */
const PLAIN = /^[A-Za-z_][\w-]*$/;

/** What is wrong with a package's name, in cargo's words; null if it is valid. */
export function packageNameProblem(name: string): string | null {
  if (isValid(name)) return null;
  for (const part of name.split('::')) {
    const problem = nameProblem(part, 'package name');
    if (problem !== null) return problem;
  }
  return null;
}

/** What is wrong with a registry's name, in cargo's words; null if it is valid. */
export function registryNameProblem(name: string): string | null {
  return nameProblem(name, 'registry name');
}

/** What is wrong with a name that follows the rules of package names; `what` says what it is the name of. */
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
    rest.find((character) => !/^[\p{XID_Continue}-]/u.test(character)) ?? '',
    'characters must be Unicode XID characters (numbers, `-`, `_`, or most letters)',
  );
}

function isValid(name: string): boolean {
  return PLAIN.test(name) || /^[\p{XID_Start}_][\p{XID_Continue}-]*$/u.test(name);
}
