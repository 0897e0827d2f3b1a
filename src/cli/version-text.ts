/** What `--version` prints. */
import manifest from '../../package.json' with { type: 'json' };
import type { Identity } from './identity.ts';

/** The release of cargo that this program does as. */
const CARGO_RELEASE = '1.95.0';
const CARGO_COMMIT = 'f2d3ce0bd7f24a49f8f72d9000448f8838c4e850';
const CARGO_DATE = '2026-03-21';

/** The program's version; with `verbose` also that of cargo and the machine. Ends in a line break. */
export async function versionText(identity: Identity, verbose: boolean): Promise<string> {
  const isCargo = identity.program === 'cargo';
  const title = isCargo
    ? `cargo ${CARGO_RELEASE} (${CARGO_COMMIT.slice(0, 9)} ${CARGO_DATE})\n`
    : `tsreg ${manifest.version}\n`;
  if (!verbose) return title;
  const { hostTriple } = await import('../platform/host-triple.ts');
  const { isMusl } = await import('../toolchain/machine.ts');
  const host = hostTriple({ platform: process.platform, arch: process.arch, isMusl: isMusl() });
  const release = `release: ${isCargo ? CARGO_RELEASE : manifest.version}\n`;
  const origin = isCargo
    ? `commit-hash: ${CARGO_COMMIT}\ncommit-date: ${CARGO_DATE}\n`
    : `cargo: ${CARGO_RELEASE}\nnode: ${process.versions.node}\n`;
  return `${title}${release}${origin}host: ${host ?? 'unknown'}\n`;
}
