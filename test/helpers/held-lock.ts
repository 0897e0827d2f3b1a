import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

// Perl is also installed on systems without flock(1), such as macOS.
const LOCK = `open F, '>>', $ARGV[0] or die; flock(F, 6) or exit 1;`;
const WAIT = `open H, '>', $ARGV[1] and close H; select undef, undef, undef, $ARGV[2];`;

/** Returns whether another program cannot lock `file`, which is created if it does not exist. */
export function isLockedForOthers(file: string): boolean {
  return spawnSync('perl', ['-e', LOCK, file], { env: { PATH: '/usr/bin:/bin' } }).status === 1;
}

/** Starts another program that locks `file` for 0.4 seconds. It creates the file `beside` once it has the lock. */
export async function holdElsewhere(file: string, beside: string): Promise<ChildProcess> {
  const holder = spawn('perl', ['-e', LOCK + WAIT, file, beside, '0.4']);
  while (!existsSync(beside)) await sleep(5);
  return holder;
}
