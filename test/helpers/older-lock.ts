/** Lock files in the formats of older cargo releases, and with the line ends of Windows. */

/** A target format of a lock file. */
export type LockForm = 'crlf' | 'version 1' | 'version 2' | 'version 3';

interface Entry {
  readonly name: string;
  readonly version: string;
  readonly source: string | null;
}

/** Rewrites the text of a current lock file in another format with the same meaning. */
export function rewriteLock(text: string, form: LockForm): string {
  if (form === 'crlf') return text.replace(/\r?\n/g, '\r\n');
  const plain = text
    .replace(/^version = \d+$/m, 'version = 3')
    // Up to version 3, names of branches are not percent-encoded.
    .replace(
      /\?(branch|tag|rev)=([^#"\s)]*)/g,
      (_, key: string, value: string) => `?${key}=${decode(value)}`,
    );
  if (form === 'version 3') return plain;
  const second = plain.replace(/^version = 3\n\n/m, '');
  return form === 'version 2' ? second : asFirst(second);
}

function decode(value: string): string {
  return decodeURIComponent(value.replaceAll('+', ' '));
}

/** Returns version 1: every dependency in full, checksums in a separate table. */
function asFirst(text: string): string {
  const entries: Entry[] = [];
  const checksums: string[] = [];
  for (const [block = ''] of text.matchAll(/^\[\[package\]\]\n(?:[^[\n].*\n)*/gm)) {
    const field = (key: string): string | null =>
      new RegExp(`^${key} = "(.*)"$`, 'm').exec(block)?.[1] ?? null;
    const entry = { name: field('name') ?? '', version: field('version') ?? '', source: field('source') };
    entries.push(entry);
    const checksum = field('checksum');
    if (checksum !== null) checksums.push(`"checksum ${full(entry)}" = "${checksum}"`);
  }
  const body = text
    .replace(/^checksum = .*\n/gm, '')
    .replace(/^( "|replace = ")([^"]*)(",?)$/gm, (_, before: string, id: string, behind: string) => {
      const [name, version, source] = id.split(' ');
      const entry = entries.find(
        (one) =>
          one.name === name &&
          (version === undefined || one.version === version) &&
          (source === undefined ||
            source === `(${one.source})` ||
            source === `(${withoutCommit(one.source)})`),
      );
      return `${before}${entry === undefined ? id : full(entry)}${behind}`;
    });
  return checksums.length === 0 ? body : `${body.trimEnd()}\n\n[metadata]\n${checksums.sort().join('\n')}\n`;
}

function full({ name, version, source }: Entry): string {
  return source === null ? `${name} ${version}` : `${name} ${version} (${source})`;
}

function withoutCommit(source: string | null): string {
  return (source ?? '').split('#')[0] ?? '';
}
