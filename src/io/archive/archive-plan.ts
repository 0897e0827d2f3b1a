/** The content of a `.crate` before it is written. Cargo Book: cargo-package(1). */

/** The source of an entry's bytes. */
export type ArchiveContent =
  /** A file on disk, links followed. `path` is absolute. */
  | { readonly kind: 'copy'; readonly path: string }
  /** Generated while packaging. `path` is the absolute path of the original file; null if there is none. */
  | {
      readonly kind: 'generate';
      readonly what: 'manifest' | 'lockfile' | 'vcs-info';
      readonly path: string | null;
    };

/** One file of the archive. */
export interface PlannedFile {
  /** Relative to the archive's top folder, with `/` between components. */
  readonly path: string;
  readonly content: ArchiveContent;
}

/** The files of one package, in the archive's order: sorted by the bytes of their components. */
export interface ArchivePlan {
  readonly files: readonly PlannedFile[];
  /** Text of `.cargo_vcs_info.json`; null if there is none. */
  readonly vcsInfo: string | null;
}

/** A file with its final content. */
export interface ArchiveFile {
  /** Like `PlannedFile.path`. */
  readonly path: string;
  readonly content:
    | { readonly kind: 'copy'; readonly path: string }
    | { readonly kind: 'generate'; readonly bytes: Uint8Array };
}
