/** `--version`: which program this is. */
import { hostTriple } from '../platform/host-triple.ts';
import { isMusl } from '../toolchain/machine.ts';
import { describeOperatingSystem } from '../toolchain/operating-system.ts';

/** The version of this program. */
export const VERSION = '0.1.0';

declare const BUILD_OF_SOURCES: string | undefined;

/** Which build of this program it is. Two that are equal have the same code. */
export const BUILD = typeof BUILD_OF_SOURCES === 'undefined' ? VERSION : `${VERSION} ${BUILD_OF_SOURCES}`;

/** The release of cargo that this program does as: version, commit and its date. */
export const CARGO = {
  release: '1.95.0',
  commit: 'f2d3ce0bd7f24a49f8f72d9000448f8838c4e850',
  date: '2026-03-21',
} as const;

/** The target triple of this machine, null if there is none for it. */
export function hostOfThisMachine(): string | null {
  return hostTriple({ platform: process.platform, arch: process.arch, isMusl: isMusl() });
}

/** This machine, for people: its target triple, `unknown` if there is none for it, and its operating system. */
export function describeMachine(): { readonly host: string; readonly os: string } {
  return { host: hostOfThisMachine() ?? 'unknown', os: describeOperatingSystem() };
}
