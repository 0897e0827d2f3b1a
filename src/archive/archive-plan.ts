/** What goes into a `.crate`, before any of it is written. Cargo Book: cargo-package(1). */

/** Where the bytes of an entry come from. */
export type ArchiveContent =
  /** A file as it stands on disk; absolute path, links followed. */
  | { readonly kind: 'copy'; readonly path: string }
  /** Made while packaging. `path` is the absolute path of the file that it is made from; null if there is none. */
  | {
      readonly kind: 'generate';
      readonly what: 'manifest' | 'lockfile' | 'vcs-info';
      readonly path: string | null;
    };

/** One file of the archive. */
export interface PlannedFile {
  /** Below the archive's top folder, with `/` between components. */
  readonly path: string;
  readonly content: ArchiveContent;
}

/** The files of one package, in the archive's order: sorted by the bytes of their components. */
export interface ArchivePlan {
  readonly files: readonly PlannedFile[];
  /** Text of `.cargo_vcs_info.json`; null if there is none. */
  readonly vcsInfo: string | null;
}

/** A file that is ready to be written. */
export interface ArchiveFile {
  /** As `PlannedFile.path`. */
  readonly path: string;
  readonly content:
    | { readonly kind: 'copy'; readonly path: string }
    | { readonly kind: 'generate'; readonly bytes: Uint8Array };
}
