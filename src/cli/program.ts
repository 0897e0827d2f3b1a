/** The list of commands. */
import type { CommandEntry } from './command.ts';

/**
 * All commands, in the order of help: by group, the most used ones first. The flags of a command are loaded when it is
 * named, its code when it runs.
 */
export const COMMANDS: readonly CommandEntry[] = [
  { name: 'metadata', group: 'Inspect', load: async () => (await import('./commands/metadata.ts')).METADATA },
  { name: 'tree', group: 'Inspect', load: async () => (await import('./commands/tree.ts')).TREE },
  { name: 'info', group: 'Inspect', load: async () => (await import('./commands/info.ts')).INFO },
  { name: 'search', group: 'Inspect', load: async () => (await import('./commands/search.ts')).SEARCH },
  { name: 'pkgid', group: 'Inspect', load: async () => (await import('./commands/pkgid.ts')).PKGID },
  {
    name: 'locate-project',
    group: 'Inspect',
    load: async () => (await import('./commands/locate-project.ts')).LOCATE_PROJECT,
  },
  {
    name: 'read-manifest',
    group: 'Inspect',
    load: async () => (await import('./commands/read-manifest.ts')).READ_MANIFEST,
  },
  {
    name: 'update',
    group: 'Lock File and Downloads',
    load: async () => (await import('./commands/update.ts')).UPDATE,
  },
  {
    name: 'generate-lockfile',
    group: 'Lock File and Downloads',
    load: async () => (await import('./commands/generate-lockfile.ts')).GENERATE_LOCKFILE,
  },
  {
    name: 'fetch',
    group: 'Lock File and Downloads',
    load: async () => (await import('./commands/fetch.ts')).FETCH,
  },
  {
    name: 'vendor',
    group: 'Lock File and Downloads',
    load: async () => (await import('./commands/vendor.ts')).VENDOR,
  },
  { name: 'package', group: 'Release', load: async () => (await import('./commands/package.ts')).PACKAGE },
  { name: 'publish', group: 'Release', load: async () => (await import('./commands/publish.ts')).PUBLISH },
  { name: 'yank', group: 'Release', load: async () => (await import('./commands/yank.ts')).YANK },
  { name: 'owner', group: 'Release', load: async () => (await import('./commands/owner.ts')).OWNER },
  { name: 'login', group: 'Account', load: async () => (await import('./commands/login.ts')).LOGIN },
  { name: 'logout', group: 'Account', load: async () => (await import('./commands/logout.ts')).LOGOUT },
  { name: 'whoami', group: 'Account', load: async () => (await import('./commands/whoami.ts')).WHOAMI },
  { name: 'serve', group: 'Registry', load: async () => (await import('./commands/serve.ts')).SERVE },
  { name: 'shim', group: 'Shell', load: async () => (await import('./commands/shim.ts')).SHIM },
  {
    name: 'completions',
    group: 'Shell',
    load: async () => (await import('./commands/completions.ts')).COMPLETIONS,
  },
  { name: 'version', group: 'Shell', load: async () => (await import('./commands/version.ts')).VERSION },
  {
    name: 'help',
    group: 'Shell',
    isUnlisted: true,
    load: async () => (await import('./commands/help.ts')).HELP,
  },
  {
    name: 'complete',
    group: 'Shell',
    isUnlisted: true,
    load: async () => (await import('./commands/complete.ts')).COMPLETE,
  },
];
