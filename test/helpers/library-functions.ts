/** Functions of the library that read no configuration: they do not take the options of every call. */
export const WITHOUT_CALL_OPTIONS: ReadonlySet<string> = new Set([
  'dependenciesOf',
  'formatWarning',
  'packageById',
  'parseIndexLine',
  'parseLockfile',
  'parseManifest',
  'readCrate',
  'rootPackage',
  'satisfies',
  'workspaceDefaultPackages',
  'workspacePackages',
]);
