/** A file that may go into an archive. */
export interface SourceFile {
  /** Absolute, as a byte string. */
  readonly path: string;
  /** What stands there itself, links not followed; `unknown` where that could not be learned or was not looked up. */
  readonly kind: 'file' | 'symlink' | 'unknown';
  /** True if it was reached through a link to a folder. */
  readonly isBelowLink: boolean;
  /** True for a file that git tracks as a link: where git may not make links, it writes their text. */
  readonly mayBeLinkText: boolean;
}
