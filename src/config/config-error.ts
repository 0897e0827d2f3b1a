/** Texts of configuration errors. */
import { TsregError } from '../errors/error.ts';
import { type ConfigKey, formatKey } from './config-key.ts';
import type { ConfigValue } from './config-value.ts';
import { type Definition, describeDefinition } from './definition.ts';

/** What an error about one place in the configuration carries. */
export interface ConfigErrorPlace {
  /** Null if the error names no file or variable. */
  readonly definition: Definition | null;
  readonly cause?: unknown;
}

/** An error that starts with where the wrong value was written down. */
export function configError(message: string, place: ConfigErrorPlace): TsregError {
  const prefix = place.definition === null ? '' : `error in ${describeDefinition(place.definition)}: `;
  return new TsregError(
    prefix + message,
    place.cause === undefined ? { code: 'config' } : { cause: place.cause },
  );
}

/** A value of the wrong type where one scalar was asked for. */
export function expectedScalar(key: ConfigKey, expected: string, found: ConfigValue): TsregError {
  return configError(`\`${formatKey(key.parts)}\` expected ${expected}, but found a ${found.type}`, found);
}

/** A value of the wrong type where a table or list was asked for. */
export function expectedContainer(key: ConfigKey, expected: string, found: ConfigValue): TsregError {
  const name = formatKey(key.parts);
  return configError(
    `invalid configuration for key \`${name}\`\n` +
      `expected a ${expected}, but found a ${found.type} for \`${name}\` in ${describeDefinition(found.definition)}`,
    { definition: null },
  );
}

/** Runs `body`; what it throws comes back as the cause of "could not load config key". */
export function withKeyContext<T>(key: ConfigKey, definition: Definition | null, body: () => T): T {
  try {
    return body();
  } catch (cause) {
    throw configError(`could not load config key \`${formatKey(key.parts)}\``, { definition, cause });
  }
}
