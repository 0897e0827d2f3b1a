/** Warnings about a workspace as a whole. Cargo Book: Workspaces. */
import type { Warning } from '../../core/errors/warning.ts';
import { EDITIONS } from '../../core/manifest/edition.ts';
import type { Edition, Manifest, PackageManifest, Resolver } from '../../core/manifest/manifest.ts';
import { defaultResolver } from '../../core/manifest/resolver.ts';

/**
 * Returns the warnings about a workspace that every command prints: tables of members that only count in the root, and
 * a virtual root with an older resolver than its members' editions imply.
 */
export function workspaceWarnings({
  rootManifest,
  members,
  resolver,
}: {
  readonly rootManifest: Manifest;
  readonly members: readonly PackageManifest[];
  readonly resolver: Resolver;
}): Warning[] {
  const otherMembers = members.filter((member) => member.path !== rootManifest.path);
  const warnings: Warning[] = otherMembers.flatMap((member) =>
    ignoredTables(member, resolver).map(
      (table) =>
        `${table} for the non root package will be ignored, specify ${table} at the workspace root:\n` +
        `package:   ${member.path}\nworkspace: ${rootManifest.path}`,
    ),
  );
  if (rootManifest.kind === 'virtual' && rootManifest.resolver === null) {
    const newestEdition = EDITIONS.findLast((edition) =>
      otherMembers.some((member) => member.edition === edition),
    );
    const impliedResolver = newestEdition === undefined ? '1' : defaultResolver(newestEdition);
    if (newestEdition !== undefined && impliedResolver !== '1')
      warnings.push(outdatedResolver(newestEdition, impliedResolver));
  }
  return warnings;
}

/** Returns the tables and keys of a member that only count in the root manifest. */
function ignoredTables(member: PackageManifest, resolver: Resolver): string[] {
  const tables: string[] = [];
  if (member.hasProfiles) tables.push('profiles');
  if (member.replacements.length > 0) tables.push('replace');
  if (member.hasPatches) tables.push('patch');
  if (member.resolverIsExplicit && member.resolver !== resolver) tables.push('resolver');
  return tables;
}

/** Returns the warning about a virtual root that gets resolver 1 by default. */
function outdatedResolver(edition: Edition, impliedResolver: Resolver): Warning {
  return {
    title:
      'virtual workspace defaulting to `resolver = "1"` despite one or more workspace members being on ' +
      `edition ${edition} which implies \`resolver = "${impliedResolver}"\``,
    isBold: true,
    remarks: [
      'to keep the current resolver, specify `workspace.resolver = "1"` in the workspace root\'s manifest',
      `to use the edition ${edition} resolver, specify \`workspace.resolver = "${impliedResolver}"\` in the workspace root's manifest`,
      'for more details see https://doc.rust-lang.org/cargo/reference/resolver.html#resolver-versions',
    ].map((text) => ({ label: 'note', text })),
  };
}
