/** Links to the documentation of a crate that the registry has. */
import type { Documentation } from '../../store/documentation-records.ts';
import type { Version } from '../../store/values.ts';
import { html, type HtmlValue } from './html.ts';
import { documentationPath } from './paths.ts';

/** A version that a page is about, and the documentation of its crate in the order of `listDocumentation`. */
export interface DocumentationView {
  readonly version: Version;
  readonly documentation: readonly Documentation[];
}

/**
 * Returns the link to the documentation of the version, or else of the highest version with documentation; null if the
 * crate has none.
 */
export function findDocumentationLink(
  view: DocumentationView,
): { readonly label: string; readonly path: string } | null {
  const { crate, version } = view.version;
  if (hasDocumentation(view)) return { label: 'Documentation', path: documentationPath(crate, version) };
  const [highest] = view.documentation;
  if (highest === undefined) return null;
  return {
    label: `Documentation of ${highest.version}`,
    path: documentationPath(crate, highest.version),
  };
}

/** Returns the link for a row in a list of versions; nothing if the version has no documentation. */
export function versionDocumentationLink(view: DocumentationView): HtmlValue {
  const { crate, version } = view.version;
  return (
    hasDocumentation(view) &&
    html` <a class="small" href="${documentationPath(crate, version)}">Docs<span class="silent"> of ${version}</span></a>`
  );
}

function hasDocumentation({ version, documentation }: DocumentationView): boolean {
  return documentation.some((other) => other.version === version.version);
}
