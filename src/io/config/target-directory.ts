/** Folders for build output. Cargo Book: Configuration, `build.target-dir` and `build.build-dir`; Build Cache. */
import { closestNameHint } from '../../core/errors/similar-names.ts';
import { realPath } from '../disk/real-path.ts';
import { TsregError } from '../../core/errors/error.ts';
import { pathHash } from '../../core/package-id/folder-names.ts';
import type { Config } from './config.ts';
import { definitionRoot, describeDefinition, type Located, resolveLocatedPath } from './definition.ts';
import { joinPath } from '../../core/files/path.ts';

/** Returns the target directory of the workspace with the root folder `root`: absolute, not normalized. */
export function targetDirectory(config: Config, root: string): string {
  return configuredTargetDirectory(config) ?? joinPath(root, 'target');
}

/** Returns the folder for intermediate files: `build.build-dir` if set, else the target directory. */
export function buildDirectory(config: Config, root: string): string {
  const template = config.build()['build-dir'];
  return template === null ? targetDirectory(config, root) : expandBuildDirectory(config, template, root);
}

/** Throws `config` if the setting of either folder is invalid. */
export function checkOutputDirectories(config: Config, root: string): void {
  targetDirectory(config, root);
  buildDirectory(config, root);
}

/** Returns the configured folder, absolute; null for the default. Throws `config` if the setting is empty. */
function configuredTargetDirectory(config: Config): string | null {
  if (config.targetDirectory !== null) return config.targetDirectory;
  const fromVariable = config.env.CARGO_TARGET_DIR;
  if (fromVariable !== undefined) {
    if (fromVariable === '') throw emptyTargetDirectory('the `CARGO_TARGET_DIR` environment variable');
    return joinPath(config.cwd, fromVariable);
  }
  const configured = config.build()['target-dir'];
  if (configured === null) return null;
  if (configured.value === '') throw emptyTargetDirectory(describeDefinition(configured.definition));
  return resolveLocatedPath(configured, config.cwd);
}

function emptyTargetDirectory(place: string): TsregError {
  return invalid(`the target directory is set to an empty string in ${place}`);
}

/** Variables of `build.build-dir`. */
const VARIABLES = ['workspace-root', 'cargo-cache-home', 'workspace-path-hash'];

/** Returns `build.build-dir` with its variables replaced, absolute. */
function expandBuildDirectory(config: Config, template: Located<string>, root: string): string {
  const expanded = template.value
    .replaceAll('{workspace-root}', () => root)
    .replaceAll('{cargo-cache-home}', () => config.home)
    .replaceAll('{workspace-path-hash}', () => workspacePathHash(root));
  checkExpanded(expanded, template.value);
  if (template.value === '') {
    throw invalid(
      `the build directory is set to an empty string in ${describeDefinition(template.definition)}`,
    );
  }
  return joinPath(definitionRoot(template.definition, config.cwd), expanded);
}

/** Throws `config` if the expansion of `template` still contains braces. */
function checkExpanded(expanded: string, template: string): void {
  const variable = /\{([^\n]*)\}/.exec(expanded)?.[1];
  if (variable !== undefined) {
    const all = VARIABLES.map((name) => `\`{${name}}\``).join(', ');
    const hint =
      closestNameHint(variable, VARIABLES, 'template variable') ||
      `\n\nhelp: available template variables are ${all}`;
    throw invalid(`unexpected variable \`${variable}\` in build.build-dir path \`${template}\`${hint}`);
  }
  checkBrackets(expanded, template);
}

/** Throws `config` if `expanded` contains a brace. `template` is the path as written. */
export function checkBrackets(expanded: string, template: string): void {
  for (const [bracket, kind] of [
    ['{', 'opening'],
    ['}', 'closing'],
  ] as const) {
    if (expanded.includes(bracket)) {
      throw invalid(`unexpected ${kind} bracket \`${bracket}\` in build.build-dir path \`${template}\``);
    }
  }
}

/** Returns the hash of the root manifest's real path, as two folders. */
function workspacePathHash(root: string): string {
  const manifest = joinPath(root, 'Cargo.toml');
  // An inaccessible manifest is hashed by its path as given.
  const hash = pathHash(realPath(manifest) ?? manifest);
  return `${hash.slice(0, 2)}/${hash.slice(2)}`;
}

function invalid(message: string): TsregError {
  return new TsregError(message, { code: 'config' });
}
