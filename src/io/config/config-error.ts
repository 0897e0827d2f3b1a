/** Configuration errors. */
import { TsregError } from '../../core/errors/error.ts';
import { type ConfigKey, formatKey } from './config-key.ts';
import type { ConfigValue } from './config-value.ts';
import { type Definition, describeDefinition } from './definition.ts';

/** The origin of an error in the configuration. */
export interface ConfigErrorPlace {
  /** null if the error names no file or variable. */
  readonly definition: Definition | null;
  /** The reason. Its code is then that of the error, instead of `config`. */
  readonly cause?: unknown;
}

/** Returns an error that starts with the origin of the invalid value. */
export function configError(message: string, place: ConfigErrorPlace): TsregError {
  const prefix = place.definition === null ? '' : `error in ${describeDefinition(place.definition)}: `;
  return new TsregError(
    prefix + message,
    place.cause === undefined ? { code: 'config' } : { cause: place.cause },
  );
}

/** Returns the error for a value of the wrong type instead of a scalar. `expected` names the right one. */
export function expectedScalar(key: ConfigKey, expected: string, value: ConfigValue): TsregError {
  return configError(`\`${formatKey(key.parts)}\` expected ${expected}, but found a ${value.type}`, value);
}

/** Returns the error for a value of the wrong type instead of a table or list. `expected` has no article. */
export function expectedContainer(key: ConfigKey, expected: string, value: ConfigValue): TsregError {
  const name = formatKey(key.parts);
  return configError(
    `invalid configuration for key \`${name}\`\n` +
      `expected a ${expected}, but found a ${value.type} for \`${name}\` in ${describeDefinition(value.definition)}`,
    { definition: null },
  );
}

/** Runs `body`. Wraps its errors in "could not load config key". */
export function withKeyContext<T>(key: ConfigKey, definition: Definition | null, body: () => T): T {
  try {
    return body();
  } catch (cause) {
    throw configError(`could not load config key \`${formatKey(key.parts)}\``, { definition, cause });
  }
}
