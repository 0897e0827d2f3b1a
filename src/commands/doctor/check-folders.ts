/** Checks of the folders that tsreg writes to. */
import type { Config } from '../../io/config/config.ts';
import { type FolderAccess, folderAccess, sizeOfSubfolders } from '../../io/disk/folder-access.ts';
import { joinPath } from '../../core/files/path.ts';
import { humanBytes } from '../../core/report/human-bytes.ts';
import { type Check, type CheckName, check, count } from './check.ts';

/** Folders below `CARGO_HOME` that another user may have created, as after `sudo cargo`. */
const PACKAGE_FOLDERS = ['registry', 'registry/index', 'registry/cache', 'registry/src', 'git', 'git/db'];

/** Checks `CARGO_HOME`. */
export function checkHome({ home, env }: Config): Check {
  const origin = env.CARGO_HOME === undefined || env.CARGO_HOME === '' ? '' : ', from the variable';
  const access = folderAccess(home);
  if (access.state === 'missing') {
    return check('home', {
      status: 'ok',
      subject: home,
      text: `CARGO_HOME ${home}${origin}: not created yet`,
    });
  }
  const problem = problemOf('home', home, access);
  return problem ?? check('home', { status: 'ok', subject: home, text: `CARGO_HOME ${home}${origin}` });
}

/** Checks the packages and index files that tsreg shares with cargo. */
export function checkPackages({ home }: Config): readonly Check[] {
  const problems = PACKAGE_FOLDERS.map((name) => joinPath(home, name)).flatMap(
    (folder) => problemOf('packages', folder, folderAccess(folder)) ?? [],
  );
  // If a folder is not writable, those inside usually are not either.
  const [first] = problems;
  if (first !== undefined) return [first];
  const folder = joinPath(home, 'registry/cache');
  const { files, bytes } = sizeOfSubfolders(folder);
  const text =
    files === 0
      ? 'no packages downloaded yet'
      : `${count(files, 'downloaded package')}, ${humanBytes(bytes)}, in ${folder}`;
  return [check('packages', { status: 'ok', subject: folder, text })];
}

/** Checks tsreg's own cache. */
export function checkCache({ home, env }: Config): Check {
  const folder = joinPath(home, 'tsreg/cache');
  const problem = problemOf('cache', folder, folderAccess(folder));
  // Without the cache, everything works, but slower.
  if (problem !== null) return { ...problem, status: 'warning' };
  const isOff = env['TSREG_CACHE'] === 'off';
  const size = humanBytes(sizeOfSubfolders(folder).bytes);
  return check('cache', {
    status: isOff ? 'info' : 'ok',
    subject: folder,
    text: isOff ? 'the cache is off, because of `TSREG_CACHE`' : `cache of tsreg, ${size}, in ${folder}`,
  });
}

/** Returns the error for a folder that tsreg cannot write to; null if it can, or can create the folder. */
function problemOf(name: CheckName, folder: string, { state, foreignOwner }: FolderAccess): Check | null {
  if (state === 'writable' || state === 'missing') return null;
  if (state === 'not-a-folder') {
    return check(name, {
      status: 'error',
      subject: folder,
      text: `${folder} is not a folder`,
      help: 'move the file away',
    });
  }
  const owner =
    foreignOwner === null ? '' : `: it belongs to ${foreignOwner === 0 ? 'root' : `user ${foreignOwner}`}`;
  return check(name, {
    status: 'error',
    subject: folder,
    text: `${folder} is not writable${owner}`,
    help:
      foreignOwner === null
        ? 'make it writable, or set `CARGO_HOME` to another folder'
        : `run \`sudo chown -R "$(id -u)" ${folder}\`, or set \`CARGO_HOME\` to another folder`,
  });
}
