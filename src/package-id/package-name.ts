const START = /^[\p{XID_Start}_]$/u;
const CONTINUE = /^[\p{XID_Continue}-]$/u;

/**
 * Why `name` cannot be the name of a package or registry, in cargo's words; null if it can. `what`
 * names it in the message (`package name`). Cargo Book: The Manifest Format, The name field.
 */
export function nameProblem(name: string, what: string): string | null {
  const [first, ...others] = name;
  if (first === undefined) return `${what} cannot be empty`;
  if (first >= '0' && first <= '9') return invalid(first, 'the name cannot start with a digit');
  if (!START.test(first)) {
    return invalid(first, 'the first character must be a Unicode XID start character (most letters or `_`)');
  }
  const stranger = others.find((char) => !CONTINUE.test(char));
  if (stranger === undefined) return null;
  return invalid(stranger, 'characters must be Unicode XID characters (numbers, `-`, `_`, or most letters)');

  function invalid(char: string, reason: string): string {
    return `invalid character \`${char}\` in ${what}: \`${name}\`, ${reason}`;
  }
}
