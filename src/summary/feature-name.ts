/** Names of features. Cargo Book: Features, The `[features]` section. */

const VALID = /^[\p{XID_Start}_0-9][\p{XID_Continue}\-+.]*$/u;
const FIRST = /^[\p{XID_Start}_0-9]/u;
const REST = /^[\p{XID_Continue}\-+.]/u;

/** What is wrong with a feature's name, in cargo's words; null if it is valid. */
export function featureNameProblem(name: string): string | null {
  if (VALID.test(name)) return null;
  if (name === '') return 'feature name cannot be empty';
  if (name.startsWith('dep:')) return `feature named \`${name}\` is not allowed to start with \`dep:\``;
  const invalid = (character: string, reason: string): string =>
    `invalid character \`${character}\` in feature name: \`${name}\`, ${reason}`;
  if (name.includes('/')) return invalid('/', 'feature name is not allowed to contain slashes');
  const [first = '', ...rest] = name;
  if (!FIRST.test(first)) {
    return invalid(
      first,
      'the first character must be a Unicode XID start character or digit (most letters or `_` or `0` to `9`)',
    );
  }
  return invalid(
    rest.find((character) => !REST.test(character)) ?? '',
    "characters must be Unicode XID characters, '-', `+`, or `.` (numbers, `+`, `-`, `_`, `.`, or most letters)",
  );
}
