/** Errors of pages that read archives. */
import { SourceProblem } from '../../source/source-problem.ts';
import { BROKEN, type ErrorView } from '../shared/error-page.ts';
import { html } from '../shared/html.ts';
import { PageError } from '../services/page-handlers.ts';
import { sourcePath } from '../shared/paths.ts';

/** Error for a client that has gone away, and therefore never sees it. */
const GONE: ErrorView = {
  status: 408,
  title: 'Request cancelled',
  text: 'The browser no longer waits for this page.',
};

/** Error if too many archives are being read. */
const SOURCE_BUSY: ErrorView = {
  status: 503,
  title: 'Too many requests at once',
  text: 'The registry is reading too many archives right now. Try again in a few seconds.',
  retrySeconds: 5,
};

/** Error for a cached archive that the cache has evicted since the page found it. */
const EVICTED: ErrorView = {
  status: 404,
  title: 'Not cached yet',
  text: 'The file of this version is no longer cached here. Its source code appears again when cargo or tsreg has downloaded the version from this registry.',
};

/** Error for a file that is too large to be sent. */
export const FILE_TOO_LARGE: ErrorView = {
  status: 413,
  title: 'File too large',
  text: 'This file is too large for the browser. Download the crate with tsreg or cargo to see it.',
};

/** Returns the error for a path that an archive does not have. Readmes may link to files that were not packaged. */
export function noSuchFile(
  version: { readonly crate: string; readonly version: string },
  path: string,
): ErrorView {
  return {
    status: 404,
    title: 'No such file',
    text: `The archive of ${version.crate} ${version.version} has no file or folder “${path}”.`,
    suggestions: html`<p><a href="${sourcePath(version)}">See the files of this version</a></p>`,
  };
}

/**
 * Returns the result of `work`, which reads archives. Throws `PageError` instead of `SourceProblem`, and instead of any
 * error after `signal` was aborted.
 */
export async function withSourceErrors<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (signal.aborted) throw new PageError(GONE);
    if (error instanceof SourceProblem) throw new PageError(viewOf(error));
    throw error;
  }
}

function viewOf({ kind, message }: SourceProblem): ErrorView {
  switch (kind) {
    case 'missing':
      return BROKEN;
    case 'evicted':
      return EVICTED;
    case 'busy':
      return SOURCE_BUSY;
    case 'unreadable':
      return {
        status: 404,
        title: 'No source code',
        text: `The archive of this version cannot be shown: ${message}.`,
      };
    case 'too-large':
      return {
        status: 413,
        title: 'Crate too large',
        text: `The source code of this version cannot be shown: ${message}.`,
      };
  }
}
