/** The part of the document that ids are made of. */
interface PackageIds {
  readonly packages: readonly {
    readonly id: string;
    readonly name: string;
    readonly version: string;
    readonly source: string | null;
  }[];
}

/**
 * Rewrites a document with ids in today's form into one with the older form, `name version (source)`, and
 * changes nothing else. Dependencies' `source` and the like are never equal to an id.
 */
export function withLegacyIds(document: string): string {
  const ids = new Map<string, string>();
  for (const { id, name, version, source } of (JSON.parse(document) as PackageIds).packages) {
    const url = source ?? id.slice(0, id.indexOf('#'));
    ids.set(JSON.stringify(id), JSON.stringify(`${name} ${version} (${url})`));
  }
  return document.replace(/"(?:[^"\\]|\\.)*"/g, (text) => ids.get(text) ?? text);
}
