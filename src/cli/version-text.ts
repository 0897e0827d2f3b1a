/** What `--version` prints. */
import type { Identity } from './identity.ts';

/** The program's version; with `verbose` also that of cargo and the machine. Ends in a line break. */
export async function versionText(identity: Identity, verbose: boolean): Promise<string> {
  const { CARGO, hostOfThisMachine, VERSION } = await import('../ops/version.ts');
  const isCargo = identity.program === 'cargo';
  const title = isCargo
    ? `cargo ${CARGO.release} (${CARGO.commit.slice(0, 9)} ${CARGO.date})\n`
    : `tsreg ${VERSION}\n`;
  if (!verbose) return title;
  const details = isCargo
    ? `release: ${CARGO.release}\ncommit-hash: ${CARGO.commit}\ncommit-date: ${CARGO.date}\n`
    : `release: ${VERSION}\ncargo: ${CARGO.release}\nnode: ${process.versions.node}\n`;
  return `${title}${details}host: ${hostOfThisMachine() ?? 'unknown'}\n`;
}
