/**
 * Names of features. Cargo Book: Features, The `[features]` section. Expressions with properties of Unicode stand where
 * they are used: to make one takes a tenth of a millisecond, and a run that reads no manifest asks for none.
 */

/** As nearly all names are: what Unicode has to say of characters takes its time. */
const PLAIN = /^\w[\w\-+.]*$/;

/** What is wrong with a feature's name, in cargo's words; null if it is valid. */
export function featureNameProblem(name: string): string | null {
  if (PLAIN.test(name) || /^[\p{XID_Start}_0-9][\p{XID_Continue}\-+.]*$/u.test(name)) return null;
  if (name === '') return 'feature name cannot be empty';
  if (name.startsWith('dep:')) return `feature named \`${name}\` is not allowed to start with \`dep:\``;
  const invalid = (character: string, reason: string): string =>
    `invalid character \`${character}\` in feature name: \`${name}\`, ${reason}`;
  if (name.includes('/')) return invalid('/', 'feature name is not allowed to contain slashes');
  const [first = '', ...rest] = name;
  if (!/^[\p{XID_Start}_0-9]/u.test(first)) {
    return invalid(
      first,
      'the first character must be a Unicode XID start character or digit (most letters or `_` or `0` to `9`)',
    );
  }
  return invalid(
    rest.find((character) => !/^[\p{XID_Continue}\-+.]/u.test(character)) ?? '',
    "characters must be Unicode XID characters, '-', `+`, or `.` (numbers, `+`, `-`, `_`, `.`, or most letters)",
  );
}
