/** The output of `--version`. */
import { CARGO_RELEASE } from '../../core/version/cargo-release.ts';
import type { Identity } from '../shared/identity.ts';

/** The document of `version --json`. */
export interface VersionDocument {
  /** Version of this format. */
  readonly version: 1;
  readonly tsreg: string;
  /** The reference release. */
  readonly cargo: string;
  readonly node: string;
  /** The target triple of the machine; `unknown` if there is none. */
  readonly host: string;
  readonly os: string;
}

/** Returns the versions of tsreg, cargo and Node, and the machine. */
export async function versionDocument(): Promise<VersionDocument> {
  const { describeMachine, VERSION } = await import('../shared/version.ts');
  return {
    version: 1,
    tsreg: VERSION,
    cargo: CARGO_RELEASE,
    node: process.versions.node,
    ...describeMachine(),
  };
}

/** Returns the program's version; if `isVerbose` also that of cargo and the machine. Ends with a line break. */
export async function versionText(
  identity: Identity,
  { isVerbose }: { readonly isVerbose: boolean },
): Promise<string> {
  const { describeMachine, VERSION } = await import('../shared/version.ts');
  const isCargo = identity.program === 'cargo';
  const title = isCargo ? `cargo ${CARGO_RELEASE}\n` : `tsreg ${VERSION}\n`;
  if (!isVerbose) return title;
  const { host, os } = describeMachine();
  // Programs expect every line of cargo's output. tsreg has no libraries to name.
  const lines = isCargo
    ? {
        release: CARGO_RELEASE,
        host,
        libgit2: 'none',
        libcurl: 'none',
        os,
      }
    : { release: VERSION, cargo: CARGO_RELEASE, node: process.versions.node, host, os };
  const details = Object.entries(lines).map(([name, value]) => `${name}: ${value}\n`);
  return title + details.join('');
}
