/** The version of this program, and the machine that it runs on. */
import { hostTriple } from '../../core/platform/host-triple.ts';
import { isMusl } from '../../io/toolchain/machine.ts';
import { describeOperatingSystem } from '../../io/toolchain/operating-system.ts';

/** The version of this program, which is also in `package.json`. */
export const VERSION = '0.1.0';

/** A hash of the sources, which `scripts/build.mjs` defines. Not defined in unit tests, which run without a build. */
declare const BUILD_OF_SOURCES: string | undefined;

/** The build of this program. Equal builds have the same code. */
export const BUILD = typeof BUILD_OF_SOURCES === 'undefined' ? VERSION : `${VERSION} ${BUILD_OF_SOURCES}`;

/** Returns the target triple of this machine; null if there is none. */
export function hostOfThisMachine(): string | null {
  return hostTriple({ platform: process.platform, arch: process.arch, isMusl: isMusl() });
}

/** Describes this machine for people: its target triple, or `unknown` if there is none, and its operating system. */
export function describeMachine(): { readonly host: string; readonly os: string } {
  return { host: hostOfThisMachine() ?? 'unknown', os: describeOperatingSystem() };
}
