/** One set of flags for `metadata` in a workspace or published crate. */
export interface FlagSet {
  readonly name: string;
  readonly args: readonly string[];
  /** Removes Cargo.lock before the run. */
  readonly withoutLock?: boolean;
}

/** Returns the sets that fit every workspace. `feature` is `member/feature`, or null if no member has features. */
export function flagSets(feature: string | null): FlagSet[] {
  const platforms = [
    'x86_64-unknown-linux-gnu',
    'x86_64-pc-windows-msvc',
    'aarch64-apple-darwin',
    'wasm32-unknown-unknown',
  ];
  return [
    { name: 'no-deps', args: ['--no-deps'] },
    { name: 'none', args: [] },
    ...platforms.map((platform) => ({ name: platform, args: ['--filter-platform', platform] })),
    {
      name: 'two platforms',
      args: ['--filter-platform', 'x86_64-pc-windows-gnu', '--filter-platform', 'aarch64-unknown-linux-musl'],
    },
    { name: 'all-features', args: ['--all-features'] },
    { name: 'no-default-features', args: ['--no-default-features'] },
    ...(feature === null
      ? []
      : [{ name: `feature ${feature}`, args: ['--no-default-features', '--features', feature] }]),
    { name: 'locked', args: ['--locked'] },
    { name: 'offline', args: ['--offline'] },
    { name: 'offline without lock', args: ['--offline'], withoutLock: true },
    {
      name: 'all-features on one platform',
      args: ['--all-features', '--filter-platform', 'x86_64-unknown-linux-gnu'],
    },
  ];
}
