/** The address of the user's session bus. D-Bus Specification, "Server Addresses". */
import type { Environment } from '../../config/environment.ts';

/** Returns the socket paths to try, in order. A path in the abstract namespace begins with NUL. */
export function sessionBusSockets(env: Environment): readonly string[] {
  const address = env['DBUS_SESSION_BUS_ADDRESS'];
  if (address !== undefined && address !== '') {
    return address.split(';').flatMap((each) => socketOf(each) ?? []);
  }
  const folder = env['XDG_RUNTIME_DIR'];
  return folder === undefined || folder === '' ? [] : [`${folder}/bus`];
}

function socketOf(address: string): string | null {
  if (!address.startsWith('unix:')) return null;
  for (const pair of address.slice('unix:'.length).split(',')) {
    const [key, value] = pair.split('=', 2);
    if (value === undefined) continue;
    if (key === 'path') return unescapeValue(value);
    if (key === 'abstract') return `\0${unescapeValue(value)}`;
  }
  return null;
}

function unescapeValue(text: string): string {
  const bytes = text.replaceAll(/%([0-9a-f]{2})/gi, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 16)),
  );
  return Buffer.from(bytes, 'latin1').toString('utf8');
}
