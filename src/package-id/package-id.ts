/** The identity of one package: name, version, source. */
import type { Version } from '../version/version.ts';
import type { SourceId } from './source-id.ts';

/** A package's identity. `key` is equal exactly when two ids are equal. */
export interface PackageId {
  readonly name: string;
  readonly version: Version;
  readonly source: SourceId;
  readonly key: string;
}
