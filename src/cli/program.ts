/** The one list of commands. */
import type { CommandEntry } from './command.ts';

/** Every command, in the order of help. Its flags are loaded when it is asked for, what it does when it runs. */
export const COMMANDS: readonly CommandEntry[] = [
  { name: 'metadata', load: async () => (await import('./commands/metadata.ts')).METADATA },
  { name: 'tree', load: async () => (await import('./commands/tree.ts')).TREE },
  { name: 'pkgid', load: async () => (await import('./commands/pkgid.ts')).PKGID },
  { name: 'locate-project', load: async () => (await import('./commands/locate-project.ts')).LOCATE_PROJECT },
  { name: 'read-manifest', load: async () => (await import('./commands/read-manifest.ts')).READ_MANIFEST },
  { name: 'package', load: async () => (await import('./commands/package.ts')).PACKAGE },
  { name: 'publish', load: async () => (await import('./commands/publish.ts')).PUBLISH },
  { name: 'update', load: async () => (await import('./commands/update.ts')).UPDATE },
  {
    name: 'generate-lockfile',
    load: async () => (await import('./commands/generate-lockfile.ts')).GENERATE_LOCKFILE,
  },
  { name: 'fetch', load: async () => (await import('./commands/fetch.ts')).FETCH },
  { name: 'vendor', load: async () => (await import('./commands/vendor.ts')).VENDOR },
  { name: 'info', load: async () => (await import('./commands/info.ts')).INFO },
  { name: 'login', load: async () => (await import('./commands/login.ts')).LOGIN },
  { name: 'logout', load: async () => (await import('./commands/logout.ts')).LOGOUT },
  { name: 'whoami', load: async () => (await import('./commands/whoami.ts')).WHOAMI },
  { name: 'owner', load: async () => (await import('./commands/owner.ts')).OWNER },
  { name: 'search', load: async () => (await import('./commands/search.ts')).SEARCH },
  { name: 'yank', load: async () => (await import('./commands/yank.ts')).YANK },
  { name: 'serve', load: async () => (await import('./commands/serve.ts')).SERVE },
  { name: 'shim', load: async () => (await import('./commands/shim.ts')).SHIM },
  { name: 'completions', load: async () => (await import('./commands/completions.ts')).COMPLETIONS },
  { name: 'version', load: async () => (await import('./commands/version.ts')).VERSION },
  { name: 'help', isUnlisted: true, load: async () => (await import('./commands/help.ts')).HELP },
  { name: 'complete', isUnlisted: true, load: async () => (await import('./commands/complete.ts')).COMPLETE },
];
