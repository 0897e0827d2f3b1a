/** The lines about problems that `serve verify` and `serve move` print. */
import type { StoreProblem } from '../../server/admin/verify-store.ts';

/** Returns the line about a problem. */
export function problemLine({ crate, version, message }: StoreProblem): string {
  const subject = [crate, version].filter((part) => part !== null).join(' ');
  return `${subject === '' ? '' : `${subject}: `}${message}\n`;
}
