import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

// Perl is where flock(1) is not, on macOS for example.
const LOCK = `open F, '>>', $ARGV[0] or die; flock(F, 6) or exit 1;`;
const WAIT = `open H, '>', $ARGV[1] and close H; select undef, undef, undef, $ARGV[2];`;

/** True if another program cannot have the lock of a file, which is made if it is not there. */
export function isLockedForOthers(file: string): boolean {
  return spawnSync('perl', ['-e', LOCK, file], { env: { PATH: '/usr/bin:/bin' } }).status === 1;
}

/** Another program that has the lock of a file, for part of a second; `beside` is a file that it makes. */
export async function holdElsewhere(file: string, beside: string): Promise<ChildProcess> {
  const holder = spawn('perl', ['-e', LOCK + WAIT, file, beside, '0.4']);
  while (!existsSync(beside)) await sleep(5);
  return holder;
}
