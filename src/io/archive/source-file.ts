/** A file of a package on disk, which may go into an archive. */
export interface SourceFile {
  /** Absolute, as a byte string. */
  readonly path: string;
  /** The kind of the file itself, links not followed; `unknown` if it could not be determined or was not looked up. */
  readonly kind: 'file' | 'symlink' | 'unknown';
  /** True if the path leads through a link to a folder. */
  readonly isBelowLink: boolean;
  /** True if git tracks the file as a link. git writes the link's text into a file if it cannot create links. */
  readonly mayBeLinkText: boolean;
}
