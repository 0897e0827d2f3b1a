/** `--version`: which program this is. */
import { hostTriple } from '../platform/host-triple.ts';
import { isMusl } from '../toolchain/machine.ts';
import { describeOperatingSystem } from '../toolchain/operating-system.ts';

/** The version of this program. */
export const VERSION = '0.1.0';

declare const BUILD_OF_SOURCES: string | undefined;

/** Which build of this program it is. Two that are equal have the same code. */
export const BUILD = typeof BUILD_OF_SOURCES === 'undefined' ? VERSION : `${VERSION} ${BUILD_OF_SOURCES}`;

/** The target triple of this machine, null if there is none for it. */
export function hostOfThisMachine(): string | null {
  return hostTriple({ platform: process.platform, arch: process.arch, isMusl: isMusl() });
}

/** This machine, for people: its target triple, `unknown` if there is none for it, and its operating system. */
export function describeMachine(): { readonly host: string; readonly os: string } {
  return { host: hostOfThisMachine() ?? 'unknown', os: describeOperatingSystem() };
}
