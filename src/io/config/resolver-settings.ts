/** Settings of the resolver. Cargo Book: Configuration, `[resolver]`. */
import { TsregError } from '../../core/errors/error.ts';
import { toNativeSeparators, toSlashes } from '../../core/files/path.ts';
import type { Config } from './config.ts';
import { type Located, resolveLocatedPath } from './definition.ts';
import { checkBrackets } from './target-directory.ts';

/** `[resolver]`; null for settings that are not set. */
export interface ResolverSettings {
  readonly incompatibleRustVersions: 'allow' | 'fallback' | null;
  /** Absolute path of the lock file to use instead of the workspace's own. */
  readonly lockfilePath: string | null;
}

/** Reads `[resolver]`. Warns about an unstable key, which is ignored. Throws `config` if it is invalid. */
export function resolverSettings(config: Config, warn: (text: string) => void): ResolverSettings {
  const table = config.resolver();
  if (table['feature-unification'] !== null && !config.unstable.has('feature-unification')) {
    warn('ignoring `resolver.feature-unification` without `-Zfeature-unification`');
  }
  return {
    incompatibleRustVersions: table['incompatible-rust-versions'],
    lockfilePath: table['lockfile-path'] === null ? null : lockfilePath(table['lockfile-path'], config),
  };
}

/** Returns the absolute path of a file `Cargo.lock`. Throws `config`, in cargo's words, for any other path. */
function lockfilePath(requested: Located<string>, config: Config): string {
  const path = resolveLocatedPath(requested, config.cwd);
  // From the first `{` to the last `}`, as in cargo.
  const variable = /\{([^\n]*)\}/.exec(requested.value)?.[1];
  if (variable !== undefined) {
    throw invalid(`unexpected variable \`${variable}\` in resolver.lockfile-path \`${requested.value}\``);
  }
  // cargo's message names `build.build-dir` here, by mistake.
  checkBrackets(requested.value, requested.value);
  // Slashes and `/.` at the end do not count in Rust's `Path::ends_with`.
  const folder = /^(.*?)\/+Cargo\.lock(?:\/\.?)*$/s.exec(toSlashes(path))?.[1];
  if (folder === undefined) {
    throw invalid('the `resolver.lockfile-path` must be a path to a Cargo.lock file');
  }
  if (config.files.kind(path) === 'directory') {
    throw invalid(`\`resolver.lockfile-path\` \`${path}\` is a directory but expected a file`);
  }
  return toNativeSeparators(`${folder}/Cargo.lock`);
}

function invalid(message: string): TsregError {
  return new TsregError(message, { code: 'config' });
}
