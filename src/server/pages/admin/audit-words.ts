/** The words of the audit trail: names of actions, and sentences about entries. */
import { teamNameOf } from '../../store/team-login.ts';
import type { AuditAction, AuditEntry } from '../../store/values.ts';
import { html, type Html, type HtmlValue } from '../shared/html.ts';
import { adminTeamPath, cratePath, userPath } from '../shared/paths.ts';

/** The names of actions in the filter. */
export const ACTION_NAMES: Readonly<Record<AuditAction, string>> = {
  publish: 'Publish a version',
  yank: 'Yank a version',
  unyank: 'Unyank a version',
  'add-owner': 'Add an owner',
  'remove-owner': 'Remove an owner',
  'delete-version': 'Delete a version',
  'delete-crate': 'Delete a crate',
  'make-user': 'Create a user',
  'change-user': 'Change a user',
  'make-team': 'Create a team',
  'delete-team': 'Delete a team',
  'add-member': 'Add a member to a team',
  'remove-member': 'Remove a member from a team',
  'make-token': 'Create a token',
  'revoke-token': 'Revoke a token',
  'add-publisher': 'Add a trusted publisher',
  'remove-publisher': 'Remove a trusted publisher',
  'add-own-name': 'Reserve a name',
  'remove-own-name': 'Release a name',
  'change-crate': 'Change the settings of a crate',
  'add-documentation': 'Upload documentation',
  'remove-documentation': 'Remove documentation',
  'change-settings': 'Change the settings of the website',
  'block-upstream': 'Block a crate of the upstream',
  'unblock-upstream': 'Unblock a crate of the upstream',
  'allow-upstream': 'Allow a crate of the upstream',
  'disallow-upstream': 'No longer allow a crate of the upstream',
  'sign-in': 'Sign in',
  'sign-out': 'Sign out',
};

const SENTENCES: Readonly<Record<AuditAction, (entry: AuditEntry) => HtmlValue>> = {
  publish: (entry) => ['published ', versionOf(entry)],
  yank: (entry) => ['yanked ', versionOf(entry)],
  unyank: (entry) => ['unyanked ', versionOf(entry)],
  'add-owner': (entry) => ['made ', subjectOf(entry), ' an owner of ', crateOf(entry)],
  'remove-owner': (entry) => ['removed ', subjectOf(entry), ' from the owners of ', crateOf(entry)],
  // No link: the page no longer exists.
  'delete-version': ({ crate, version }) => `deleted ${crate} ${version}`,
  'delete-crate': ({ crate }) => `deleted the crate ${crate}`,
  'make-user': (entry) => ['created the user ', subjectOf(entry)],
  'change-user': (entry) =>
    isOwn(entry) ? 'changed their own account' : ['changed the user ', subjectOf(entry)],
  'make-team': (entry) => ['created ', subjectOf(entry)],
  'delete-team': (entry) => ['deleted the team ', deletedTeamOf(entry)],
  'add-member': (entry) => ['added ', subjectOf(entry), ' to a team'],
  'remove-member': (entry) => ['removed ', subjectOf(entry), ' from a team'],
  'make-token': (entry) => [`created token ${entry.tokenId}`, unlessOwn(entry)],
  'revoke-token': (entry) => [`revoked token ${entry.tokenId}`, unlessOwn(entry)],
  'add-publisher': (entry) => ['added a trusted publisher of ', subjectOf(entry)],
  'remove-publisher': (entry) => ['removed a trusted publisher of ', subjectOf(entry)],
  'add-own-name': ({ crate }) => `reserved the name ${crate}`,
  'remove-own-name': ({ crate }) => `released the name ${crate}`,
  'change-crate': (entry) => ['changed the settings of ', crateOf(entry)],
  'add-documentation': (entry) => ['uploaded the documentation of ', versionOf(entry)],
  'remove-documentation': (entry) => ['removed the documentation of ', versionOf(entry)],
  'change-settings': () => 'changed the settings of the website',
  'block-upstream': (entry) => ['blocked ', upstreamOf(entry)],
  'unblock-upstream': (entry) => ['unblocked ', upstreamOf(entry)],
  'allow-upstream': (entry) => ['allowed ', upstreamOf(entry), ', whatever the other rules say'],
  'disallow-upstream': (entry) => ['removed the exception for ', upstreamOf(entry)],
  'sign-in': () => 'signed in',
  'sign-out': () => 'signed out',
};

/** Returns the sentence about an entry, without who did it. */
export function auditSentence(entry: AuditEntry): HtmlValue {
  return SENTENCES[entry.action](entry);
}

/** Returns a link to the page of a user. */
export function userLink(login: string): Html {
  return html`<a href="${userPath(login)}">${login}</a>`;
}

/** Returns true if users acted on themselves. */
function isOwn({ actor, subject }: AuditEntry): boolean {
  return actor !== null && actor === subject;
}

/** Returns whose token it is, unless it is that of the actor. */
function unlessOwn(entry: AuditEntry): HtmlValue {
  return !isOwn(entry) && [' of ', subjectOf(entry)];
}

function subjectOf({ subject }: AuditEntry): HtmlValue {
  if (subject === null) return 'a user';
  const teamName = teamNameOf(subject);
  return teamName === null
    ? userLink(subject)
    : html`the team <a href="${adminTeamPath(teamName)}">${teamName}</a>`;
}

/** Returns the name of a deleted team, whose page no longer exists. */
function deletedTeamOf({ subject }: AuditEntry): HtmlValue {
  return subject === null ? null : (teamNameOf(subject) ?? subject);
}

function crateOf({ crate }: AuditEntry): HtmlValue {
  return crate === null ? 'a crate' : html`<a href="${cratePath(crate)}">${crate}</a>`;
}

/** Returns a crate of the upstream, or a version of it. No link: the crate may not be in the cache. */
function upstreamOf({ crate, version }: AuditEntry): HtmlValue {
  return version === null ? `all versions of ${crate}` : `${crate} ${version}`;
}

function versionOf(entry: AuditEntry): HtmlValue {
  const { crate, version } = entry;
  if (crate === null || version === null) return crateOf(entry);
  return html`<a href="${cratePath(crate, version)}">${crate} ${version}</a>`;
}
