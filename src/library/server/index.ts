/** `tsreg/server`: the registry of `tsreg serve` for programs. It prints nothing and reads no configuration. */
export { openRegistry, type OpenRegistryOptions } from './open-registry.ts';
export { startRegistry, type StartRegistryOptions } from './start-registry.ts';

export type { ClientInfo, Registry, RegistryEvent, RegistryServerOptions, TokenOptions } from './registry.ts';
export type { LogValues } from '../../server/shared/log.ts';
export type { TokenScope } from '../../server/store/values.ts';
