/** Checks a workspace as a whole. Cargo Book: Workspaces. */
import { TsregError } from '../../core/errors/error.ts';
import { parentFolder, relativePath } from '../../core/files/path.ts';
import type { Manifest } from '../../core/manifest/manifest.ts';
import type { ManifestLoader } from './manifest-loader.ts';

/** A workspace with known but unchecked members. */
export interface UncheckedWorkspace {
  readonly rootManifest: Manifest;
  readonly currentManifest: Manifest;
  readonly memberPaths: ReadonlySet<string>;
  readonly manifests: ManifestLoader;
}

/**
 * Checks that names are unique, that there is one root, that every member belongs to this root, and that the current
 * manifest is a member. Throws `workspace` with cargo's message. Cargo Book: Workspaces.
 */
export function validateWorkspace(workspace: UncheckedWorkspace): void {
  const { currentManifest, memberPaths, manifests } = workspace;
  const members = Array.from(memberPaths, (path) => manifests.load(path));
  checkNames(members);
  checkRoots(members, workspace);
  for (const path of memberPaths) checkMember(path, workspace);
  if (!memberPaths.has(currentManifest.path)) throw notAMember(workspace);
}

/** Throws if two packages have the same name. */
function checkNames(members: readonly Manifest[]): void {
  const paths = new Map<string, string>();
  for (const manifest of members) {
    if (manifest.kind === 'virtual') continue;
    const { name } = manifest.summary.id;
    const otherPath = paths.get(name);
    if (otherPath !== undefined) {
      throw problem(`two packages named \`${name}\` in this workspace:\n- ${otherPath}\n- ${manifest.path}`);
    }
    paths.set(name, manifest.path);
  }
}

/** Throws unless exactly one member is a root. */
function checkRoots(
  members: readonly Manifest[],
  { rootManifest, currentManifest }: UncheckedWorkspace,
): void {
  const roots = members.filter(({ workspace }) => workspace.kind === 'root');
  if (roots.length === 1) return;
  if (roots.length === 0) {
    throw problem(
      '`package.workspace` configuration points to a crate which is not configured with [workspace]: \n' +
        `configuration at: ${currentManifest.path}\npoints to: ${rootManifest.path}`,
    );
  }
  const folders = roots.map(({ path }) => `  ${parentFolder(path)}`);
  throw problem(`multiple workspace roots found in the same workspace:\n${folders.join('\n')}`);
}

/** Throws unless the member at `path` belongs to this root. */
function checkMember(path: string, { rootManifest, manifests }: UncheckedWorkspace): void {
  const root = manifests.findRoot(path);
  if (root === rootManifest.path) return;
  throw problem(
    root === null
      ? `workspace member \`${path}\` is not hierarchically below the workspace root \`${rootManifest.path}\``
      : `package \`${path}\` is a member of the wrong workspace\nexpected: ${rootManifest.path}\nactual:   ${root}`,
  );
}

/** Returns cargo's error for a current manifest that is not a member, with two remedies. */
function notAMember({ rootManifest, currentManifest }: UncheckedWorkspace): TsregError {
  const root = rootManifest.path;
  const { workspace } = rootManifest;
  const listsMembers = workspace.kind === 'root' && workspace.config.members !== null;
  const memberPath = relativePath(parentFolder(root), parentFolder(currentManifest.path));
  const remedy =
    rootManifest.kind === 'package' && !listsMembers
      ? `ensuring that this crate is depended on by the workspace root: ${root}`
      : `adding \`${memberPath}\` to the \`workspace.members\` array of the manifest located at: ${root}`;
  return problem(
    "current package believes it's in a workspace when it's not:\n" +
      `current:   ${currentManifest.path}\nworkspace: ${root}\n\nthis may be fixable by ${remedy}\n` +
      'Alternatively, to keep it out of the workspace, add the package to the `workspace.exclude` array, ' +
      "or add an empty `[workspace]` table to the package's manifest.",
  );
}

function problem(message: string): TsregError {
  return new TsregError(message, { code: 'workspace' });
}
