/** The list of commands. */
import type { CommandEntry } from '../commands/shared/command.ts';

/**
 * All commands, in the order of help: by group, the most used ones first. The flags of a command are loaded when it is
 * named, its code when it runs.
 */
export const COMMANDS: readonly CommandEntry[] = [
  {
    name: 'metadata',
    group: 'Inspect',
    load: async () => (await import('../commands/metadata/flags.ts')).METADATA,
  },
  { name: 'tree', group: 'Inspect', load: async () => (await import('../commands/tree/flags.ts')).TREE },
  {
    name: 'why',
    group: 'Inspect',
    isAbsentInCargo: true,
    load: async () => (await import('../commands/why/flags.ts')).WHY,
  },
  {
    name: 'outdated',
    group: 'Inspect',
    isAbsentInCargo: true,
    load: async () => (await import('../commands/outdated/flags.ts')).OUTDATED,
  },
  {
    name: 'sbom',
    group: 'Inspect',
    isAbsentInCargo: true,
    load: async () => (await import('../commands/sbom/flags.ts')).SBOM,
  },
  { name: 'info', group: 'Inspect', load: async () => (await import('../commands/info/flags.ts')).INFO },
  {
    name: 'search',
    group: 'Inspect',
    load: async () => (await import('../commands/search/flags.ts')).SEARCH,
  },
  {
    name: 'diff',
    group: 'Inspect',
    isAbsentInCargo: true,
    load: async () => (await import('../commands/diff/flags.ts')).DIFF,
  },
  { name: 'pkgid', group: 'Inspect', load: async () => (await import('../commands/pkgid/flags.ts')).PKGID },
  {
    name: 'locate-project',
    group: 'Inspect',
    load: async () => (await import('../commands/locate-project/flags.ts')).LOCATE_PROJECT,
  },
  {
    name: 'read-manifest',
    group: 'Inspect',
    load: async () => (await import('../commands/read-manifest/flags.ts')).READ_MANIFEST,
  },
  {
    name: 'update',
    group: 'Lock File and Downloads',
    load: async () => (await import('../commands/update/flags.ts')).UPDATE,
  },
  {
    name: 'generate-lockfile',
    group: 'Lock File and Downloads',
    load: async () => (await import('../commands/generate-lockfile/flags.ts')).GENERATE_LOCKFILE,
  },
  {
    name: 'fetch',
    group: 'Lock File and Downloads',
    load: async () => (await import('../commands/fetch/flags.ts')).FETCH,
  },
  {
    name: 'vendor',
    group: 'Lock File and Downloads',
    load: async () => (await import('../commands/vendor/flags.ts')).VENDOR,
  },
  {
    name: 'download',
    group: 'Lock File and Downloads',
    isAbsentInCargo: true,
    load: async () => (await import('../commands/download/flags.ts')).DOWNLOAD,
  },
  {
    name: 'package',
    group: 'Release',
    load: async () => (await import('../commands/package/flags.ts')).PACKAGE,
  },
  {
    name: 'publish',
    group: 'Release',
    load: async () => (await import('../commands/publish/flags.ts')).PUBLISH,
  },
  { name: 'yank', group: 'Release', load: async () => (await import('../commands/yank/flags.ts')).YANK },
  { name: 'owner', group: 'Release', load: async () => (await import('../commands/owner/flags.ts')).OWNER },
  { name: 'login', group: 'Account', load: async () => (await import('../commands/login/flags.ts')).LOGIN },
  {
    name: 'logout',
    group: 'Account',
    load: async () => (await import('../commands/logout/flags.ts')).LOGOUT,
  },
  {
    name: 'whoami',
    group: 'Account',
    load: async () => (await import('../commands/whoami/flags.ts')).WHOAMI,
  },
  { name: 'serve', group: 'Registry', load: async () => (await import('../commands/serve/flags.ts')).SERVE },
  {
    name: 'registry',
    group: 'Registry',
    isAbsentInCargo: true,
    load: async () => (await import('../commands/registry/flags.ts')).REGISTRY,
  },
  {
    name: 'doctor',
    group: 'Shell',
    isAbsentInCargo: true,
    load: async () => (await import('../commands/doctor/flags.ts')).DOCTOR,
  },
  { name: 'shim', group: 'Shell', load: async () => (await import('../commands/shim/flags.ts')).SHIM },
  {
    name: 'completions',
    group: 'Shell',
    load: async () => (await import('./completion/completions.ts')).COMPLETIONS,
  },
  {
    name: 'version',
    group: 'Shell',
    load: async () => (await import('../commands/version/flags.ts')).VERSION,
  },
  {
    name: 'help',
    group: 'Shell',
    isUnlisted: true,
    load: async () => (await import('./help-command.ts')).HELP,
  },
  {
    name: 'complete',
    group: 'Shell',
    isUnlisted: true,
    load: async () => (await import('./completion/complete.ts')).COMPLETE,
  },
];
