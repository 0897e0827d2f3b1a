/** Checks of the configuration files. Cargo Book: Configuration. */
import type { Config } from '../../io/config/config.ts';
import { type ConfigFile, discoverConfigFiles, findNamedFile } from '../../io/config/discover-files.ts';
import type { ProjectFileTrust } from '../../io/config/project-files.ts';
import { readConfigFile } from '../../io/config/read-file.ts';
import { isReadableByOthers } from '../../io/disk/folder-access.ts';
import { failureText } from '../../io/disk/failure-text.ts';
import { reportTo } from '../../core/report/report.ts';
import { type Check, check, rootCause } from './check.ts';

/** Checks every configuration file that applies, and whether they fit together. Shows no values. */
export function checkConfig(config: Config): readonly Check[] {
  try {
    const trust = config.projectFiles;
    const checks = filesOf(config).map((file) => checkFile(file, config, trust));
    if (checks.some(({ status }) => status === 'error')) return checks;
    readTables(config);
    if (checks.length > 0) return checks;
    return [check('config', { status: 'info', text: 'no configuration files' })];
  } catch (error) {
    return [check('config', { status: 'error', text: failureText(error), help: 'correct the value' })];
  }
}

/** Reads all files and the tables that other checks need. Throws if one is invalid. */
export function readTables(config: Config): void {
  config.values();
  config.build();
  config.http();
  config.net();
  config.resolver();
  config.table('registries');
  config.string('registry.default');
}

/** Checks the file with the tokens; nothing if there is none. Shows no values. */
export function checkCredentials({ home, cwd, files }: Config): readonly Check[] {
  const path = findNamedFile(home, 'credentials', { files, report: null });
  if (path === null) return [];
  try {
    readConfigFile(path, 'file', { files, cwd, hidesValues: true });
  } catch (error) {
    return [check('credentials', { status: 'error', subject: path, ...unreadable(path, error) })];
  }
  if (!isReadableByOthers(path)) return [check('credentials', { status: 'ok', subject: path, text: path })];
  return [
    check('credentials', {
      status: 'warning',
      subject: path,
      text: `${path}: other users can read the tokens`,
      help: `run \`chmod 600 ${path}\``,
    }),
  ];
}

function filesOf({ cwd, home, files }: Config): readonly ConfigFile[] {
  const discovery = { cwd, home, files, report: reportTo({}) };
  return [...discoverConfigFiles(discovery, { readsProject: true })];
}

function checkFile(
  { path, isOfProject }: ConfigFile,
  { files, cwd }: Config,
  trust: ProjectFileTrust,
): Check {
  if (isOfProject && trust === 'off') {
    const text = `${path}: ignored, because of \`TSREG_PROJECT_CONFIG=off\``;
    return check('config', { status: 'info', subject: path, text });
  }
  const readPaths = new Set<string>();
  try {
    readConfigFile(path, 'file', { files, cwd, readPaths, hidesValues: true });
  } catch (error) {
    // The last file that was read has the error, and may be an included one.
    const failedPath = [...readPaths].at(-1) ?? path;
    return check('config', { status: 'error', subject: failedPath, ...unreadable(failedPath, error) });
  }
  const remark = isOfProject && trust === 'data' ? ': only data, because of `TSREG_PROJECT_CONFIG=data`' : '';
  return check('config', { status: 'ok', subject: path, text: path + remark });
}

function unreadable(path: string, error: unknown): Pick<Check, 'text' | 'help'> {
  return { text: `${path}: ${failureText(rootCause(error))}`, help: 'correct the file' };
}
