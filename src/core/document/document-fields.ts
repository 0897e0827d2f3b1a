/** The fields of the document of `metadata`, in order. Cargo Book: cargo metadata. */
export const DOCUMENT_FIELDS = [
  'packages',
  'workspace_members',
  'workspace_default_members',
  'resolve',
  'target_directory',
  'build_directory',
  'version',
  'workspace_root',
  'metadata',
] as const;

/** The name of a field of the document. */
export type DocumentField = (typeof DOCUMENT_FIELDS)[number];
