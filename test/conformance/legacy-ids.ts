/** The fields of a document from which ids are built. */
interface PackageIds {
  readonly packages: readonly {
    readonly id: string;
    readonly name: string;
    readonly version: string;
    readonly source: string | null;
  }[];
}

/**
 * Rewrites the ids of a document to the older format, `name version (source)`, and changes nothing else. Other strings,
 * such as the `source` of dependencies, never equal an id.
 */
export function withLegacyIds(document: string): string {
  const ids = new Map<string, string>();
  for (const { id, name, version, source } of (JSON.parse(document) as PackageIds).packages) {
    const url = source ?? id.slice(0, id.indexOf('#'));
    ids.set(JSON.stringify(id), JSON.stringify(`${name} ${version} (${url})`));
  }
  return document.replace(/"(?:[^"\\]|\\.)*"/g, (text) => ids.get(text) ?? text);
}
