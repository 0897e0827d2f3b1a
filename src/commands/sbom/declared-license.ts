/** The license that a manifest declares. Cargo Book: The Manifest Format, The license and license-file fields. */
import { licenseProblem } from '../../core/license/license-expression.ts';

/**
 * A valid SPDX expression, which may contain `LicenseRef-…`, or another text that names a license. No expression contains
 * `DocumentRef-…`, because the other document is unknown.
 */
export type DeclaredLicense =
  | { readonly kind: 'expression'; readonly expression: string }
  | { readonly kind: 'named'; readonly name: string };

/** The fields of a manifest about its license. */
export interface LicenseFields {
  readonly license: string | null;
  readonly license_file: string | null;
}

/**
 * Returns the license of a package; null if it declares none. `/` in `license` means `OR`, as in old packages. Any other
 * text than an SPDX expression is a named license, and so is a `license-file`.
 */
export function declaredLicense({ license, license_file: file }: LicenseFields): DeclaredLicense | null {
  const text = license?.trim() ?? '';
  if (text !== '') {
    return licenseProblem(text, { onlyKnown: true }) === null && !text.includes('DocumentRef-')
      ? { kind: 'expression', expression: text.replaceAll(/\s*\/\s*/g, ' OR ') }
      : { kind: 'named', name: text };
  }
  // The words that npm uses for a license in a file.
  return file === null ? null : { kind: 'named', name: `SEE LICENSE IN ${file}` };
}
