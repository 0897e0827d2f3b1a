/** The properties that identify a kind of machine, as Node's `process` names them. */
export interface Machine {
  /** `process.platform`. */
  readonly platform: string;
  /** `process.arch`. */
  readonly arch: string;
  /** True if Node runs on musl instead of glibc. */
  readonly isMusl: boolean;
}

/** Triples of rustc's platforms with host tools (rustc book: Platform Support), by `process.arch`. */
const LINUX: Readonly<Record<string, string>> = {
  x64: 'x86_64-unknown-linux-gnu',
  arm64: 'aarch64-unknown-linux-gnu',
  ia32: 'i686-unknown-linux-gnu',
  arm: 'armv7-unknown-linux-gnueabihf',
  loong64: 'loongarch64-unknown-linux-gnu',
  ppc64: 'powerpc64le-unknown-linux-gnu',
  riscv64: 'riscv64gc-unknown-linux-gnu',
  s390x: 's390x-unknown-linux-gnu',
};
/**
 * The same for other systems, by `process.platform` and `process.arch`. Node has only one name for Solaris and illumos.
 */
const OTHERS: Readonly<Record<string, string>> = {
  'darwin x64': 'x86_64-apple-darwin',
  'darwin arm64': 'aarch64-apple-darwin',
  'win32 x64': 'x86_64-pc-windows-msvc',
  'win32 arm64': 'aarch64-pc-windows-msvc',
  'win32 ia32': 'i686-pc-windows-msvc',
  'freebsd x64': 'x86_64-unknown-freebsd',
  'openbsd x64': 'x86_64-unknown-openbsd',
  'sunos x64': 'x86_64-unknown-illumos',
  'android arm64': 'aarch64-linux-android',
  'android x64': 'x86_64-linux-android',
};

/** Returns the host triple of a toolchain for this machine; null if there is none. */
export function hostTriple({ platform, arch, isMusl }: Machine): string | null {
  if (platform !== 'linux') return OTHERS[`${platform} ${arch}`] ?? null;
  const triple = LINUX[arch] ?? null;
  return isMusl && triple !== null ? triple.replace('-gnu', '-musl') : triple;
}
