/** Loads path packages that may not exist. */
import type { SourceId } from '../../../core/package-id/source-id.ts';
import type { Report } from '../../../core/report/report.ts';
import { reportSnippets } from '../../../core/report/report-snippets.ts';
import type { Summary } from '../../../core/summary/summary.ts';
import type { ManifestLoader } from '../../../io/workspace/manifest-loader.ts';

/** The loader of path packages, and the report for manifests that cannot be loaded. */
export interface PathPackageOptions {
  readonly manifests: Pick<ManifestLoader, 'loadPathSource'>;
  readonly report: Report;
}

/**
 * Returns the package in the folder of a path source; null if it cannot be loaded. Like cargo, each call reports the
 * wrong line of the manifest again. If the package is needed, the resolver loads it once more and fails.
 */
export function loadPathPackage(source: SourceId, { manifests, report }: PathPackageOptions): Summary | null {
  try {
    return manifests.loadPathSource(source).summary;
  } catch (error) {
    reportSnippets(error, report);
    return null;
  }
}
