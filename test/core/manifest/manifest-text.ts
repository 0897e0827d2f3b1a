import { TsregError } from '../../../src/core/errors/error.ts';
import type { InheritanceRoot } from '../../../src/core/manifest/inheritable-fields.ts';
import type { Manifest, PackageManifest } from '../../../src/core/manifest/manifest.ts';
import { parseManifest } from '../../../src/core/manifest/parse-manifest.ts';
import type { SourceId } from '../../../src/core/package-id/source-id.ts';
import { SourceTable } from '../../../src/core/package-id/source-table.ts';
import { MemoryFiles } from '../../helpers/memory-files.ts';

/** A minimal `[package]` table. */
export const PACKAGE = '[package]\nname = "p"\nversion = "0.1.0"\nedition = "2021"\n';

/** The surroundings of a manifest; by default a package at `/p` with a library. */
export interface TextOptions {
  /** Files beside `/p/Cargo.toml`, by path from `/p`. */
  readonly files?: readonly string[];
  readonly source?: (sources: SourceTable) => SourceId;
  readonly inheritFrom?: (pointer: string | null) => InheritanceRoot;
}

/** Parses `text` as the manifest of `/p`. */
export function parseText(text: string, options: TextOptions = {}): Manifest {
  const { files = ['src/lib.rs'], source, inheritFrom } = options;
  const sources = new SourceTable();
  const tree = Object.fromEntries(files.map((file) => [`/p/${file}`, '']));
  return parseManifest(text, {
    path: '/p/Cargo.toml',
    source: source?.(sources) ?? sources.forPath('/p'),
    sources,
    files: new MemoryFiles(tree),
    registry: (name) => {
      if (name === 'crates-io') return sources.cratesIo();
      if (name === 'alt') return sources.forRegistryIndex('sparse+https://alt.example/index/', 'alt');
      throw new TsregError(`registry index was not found in any configuration: \`${name}\``);
    },
    inheritFrom:
      inheritFrom ??
      (() => {
        throw new TsregError('failed to find a workspace root');
      }),
  });
}

/** Like `parseText`, but throws unless the manifest is that of a package. */
export function parsePackage(text: string, options: TextOptions = {}): PackageManifest {
  const manifest = parseText(text, options);
  if (manifest.kind !== 'package') throw new Error('a package was expected');
  return manifest;
}

/**
 * Returns why a manifest is refused: `[line:column-column] message` for an error with a snippet of the source, or else
 * the messages below ``failed to parse manifest at `…` ``, joined with ` <- `. Returns `no failure` if it is accepted.
 */
export function failureOf(text: string, options: TextOptions = {}): string {
  try {
    parseText(text, options);
  } catch (error) {
    if (!(error instanceof TsregError)) throw error;
    if (error.snippet !== null) return describe(error);
    if (error.message !== 'failed to parse manifest at `/p/Cargo.toml`') return describe(error);
    const causes: string[] = [];
    for (let cause = error.cause; cause instanceof TsregError; cause = cause.cause)
      causes.push(describe(cause));
    return `failed: ${causes.join(' <- ')}`;
  }
  return 'no failure';
}

/** Returns an error in cargo's words, with the position of its snippet. */
function describe({ message: own, cargoMessage, snippet }: TsregError): string {
  const message = cargoMessage ?? own;
  if (snippet === null) return message;
  const { text, span } = snippet;
  const before = text.slice(0, span.start);
  const line = before.split('\n').length;
  const column = before.length - before.lastIndexOf('\n');
  return `[${line}:${column}-${column + span.end - span.start}] ${message}`;
}

/** Returns the error about a key that needs an unstable feature. `anchor` is that of the feature's documentation. */
export function unstable(feature: string, anchor = `#${feature}`): string {
  return (
    `feature \`${feature}\` is required\n\n` +
    `The package requires the Cargo feature called \`${feature}\`, but that feature is not stabilized ` +
    'in this version of Cargo (1.99.0).\n' +
    'Consider trying a newer version of Cargo (this may require the nightly release).\n' +
    `See https://doc.rust-lang.org/nightly/cargo/reference/unstable.html${anchor} for more information about the status of this feature.\n`
  );
}
