/**
 * Names of features. Cargo Book: Features, The `[features]` section. Regular expressions with Unicode properties are
 * not constants: creating one takes 0.1 ms, and a run that reads no manifest needs none.
 */
import { present } from '../errors/assert.ts';

/** Nearly all names are ASCII. The expression with Unicode properties is slower. */
const ASCII_NAME = /^\w[\w\-+.]*$/;

/** Returns cargo's message about an invalid feature name; null if the name is valid. */
export function featureNameProblem(name: string): string | null {
  if (ASCII_NAME.test(name) || /^[\p{XID_Start}_0-9][\p{XID_Continue}\-+.]*$/u.test(name)) return null;
  if (name === '') return 'feature name cannot be empty';
  if (name.startsWith('dep:')) return `feature named \`${name}\` is not allowed to start with \`dep:\``;
  const invalid = (character: string, reason: string): string =>
    `invalid character \`${character}\` in feature name: \`${name}\`, ${reason}`;
  if (name.includes('/')) return invalid('/', 'feature name is not allowed to contain slashes');
  const characters = Array.from(name);
  if (!/^[\p{XID_Start}_0-9]/u.test(name)) {
    return invalid(
      present(characters[0], 'the first character'),
      'the first character must be a Unicode XID start character or digit (most letters or `_` or `0` to `9`)',
    );
  }
  return invalid(
    present(
      characters.find((character) => !/^[\p{XID_Continue}\-+.]/u.test(character)),
      'the invalid character',
    ),
    "characters must be Unicode XID characters, '-', `+`, or `.` (numbers, `+`, `-`, `_`, `.`, or most letters)",
  );
}
