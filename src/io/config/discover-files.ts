/** Discovery of configuration files. Cargo Book: Configuration, "Hierarchical structure". */
import { statSync } from 'node:fs';
import { inputRecorder } from '../disk/input-recorder.ts';
import { realPath } from '../disk/real-path.ts';
import type { Files } from '../../core/files/files.ts';
import type { Report } from '../../core/report/report.ts';
import { joinPath, rootOfPath } from '../../core/files/path.ts';
import { parentPath } from './parent-path.ts';

/** Inputs for discovery. Both paths are absolute. */
export interface Discovery {
  readonly cwd: string;
  /** `CARGO_HOME`. */
  readonly home: string;
  readonly files: Files;
  readonly report: Report;
}

/** A configuration file that applies. */
export interface ConfigFile {
  /** Absolute. */
  readonly path: string;
  /** False for the file in `CARGO_HOME`. */
  readonly isOfProject: boolean;
}

/**
 * Yields the files that apply, nearest first. The one in `CARGO_HOME` is last, unless it is on the way up. Looks for
 * each file on request: after an unreadable one, there are no warnings about others. Without `readsProject`, yields
 * only the file in `CARGO_HOME`.
 */
export function* discoverConfigFiles(
  discovery: Discovery,
  { readsProject }: { readonly readsProject: boolean },
): Generator<ConfigFile, void> {
  const { cwd, home, files } = discovery;
  let realHome: string | null = null;
  let wasHomeSeen = false;
  for (let folder = cwd; ; folder = parentPath(folder)) {
    const candidate = joinPath(folder, '.cargo');
    let isHome = candidate === home;
    if (files.exists(candidate)) {
      realHome ??= realPath(home) ?? home;
      isHome ||= (realPath(candidate) ?? candidate) === realHome;
      if (isHome || readsProject) yield* configFileIn(candidate, { isOfProject: !isHome }, discovery);
    }
    wasHomeSeen ||= isHome;
    if (folder === rootOfPath(folder) || folder === '') break;
  }
  if (!wasHomeSeen) yield* configFileIn(home, { isOfProject: false }, discovery);
}

/**
 * Returns the path of `name` or `name.toml` in `folder`; null if neither exists. The former takes precedence, for files
 * of old releases. Warns if it exists; with `report: null`, does not warn.
 */
export function findNamedFile(
  folder: string,
  name: string,
  context: { readonly files: Files; readonly report: Report | null },
): string | null {
  const oldPath = joinPath(folder, name);
  const path = `${oldPath}.toml`;
  const oldPathExists = context.files.exists(oldPath);
  if (!oldPathExists) return context.files.exists(path) ? path : null;
  if (!context.files.exists(path)) {
    context.report?.warning({
      title: `\`${oldPath}\` is deprecated in favor of \`${name}.toml\``,
      remarks: [
        {
          label: 'help',
          text: `if you need to support cargo 1.38 or earlier, you can symlink \`${name}\` to \`${name}.toml\``,
        },
      ],
    });
  } else if (context.report !== null && !isSameFile(oldPath, path)) {
    context.report.warning(`both \`${oldPath}\` and \`${path}\` exist. Using \`${oldPath}\``);
  }
  return oldPath;
}

/** Yields the configuration file in `folder`, if there is one. */
function* configFileIn(
  folder: string,
  { isOfProject }: Pick<ConfigFile, 'isOfProject'>,
  discovery: Discovery,
): Generator<ConfigFile, void> {
  const path = findNamedFile(folder, 'config', discovery);
  if (path !== null) yield { path, isOfProject };
}

/** Returns true if both paths lead to the same file, through links. */
function isSameFile(a: string, b: string): boolean {
  // The result cache cannot observe inodes.
  inputRecorder()?.reject('two config files stand side by side');
  const [statsOfA, statsOfB] = [a, b].map((path) => statSync(path, { throwIfNoEntry: false, bigint: true }));
  if (statsOfA === undefined || statsOfB === undefined) return false;
  return statsOfA.dev === statsOfB.dev && statsOfA.ino === statsOfB.ino;
}
