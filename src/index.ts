/**
 * The library: the commands as functions. They print nothing, never end the process and keep no state between calls.
 * The working folder and the environment are options; by default they are those of the process. Several calls may run
 * at once.
 */
export type { CallOptions, CommonOptions, LockfileOptions, ManifestOptions } from './library/call.ts';
export type { SurroundingsOptions } from './library/surroundings.ts';
export type {
  CargoManifest,
  ManifestDependency,
  ManifestPackage,
  ManifestWorkspace,
} from './library/cargo-manifest.ts';
export { fetchPackages, type FetchOptions } from './library/fetch-packages.ts';
export { generateLockfile } from './library/generate-lockfile.ts';
export { info, type InfoOptions } from './library/info.ts';
export { login, type LoginOptions, logout, type LogoutOptions } from './library/login.ts';
export { metadata, type Metadata, type MetadataOptions } from './library/metadata.ts';
export {
  dependenciesOf,
  type DependencyKindEntry,
  packageById,
  type PackageDependency,
  rootPackage,
  workspaceDefaultPackages,
  workspacePackages,
} from './library/metadata-queries.ts';
export { owner, type OwnerOptions } from './library/owner.ts';
export { packageCrate, type PackageOptions } from './library/package-crate.ts';
export type { PackagesCallOptions } from './library/packages-call.ts';
export type { CrateBytes } from './library/crate-bytes.ts';
export type { CrateCallOptions } from './library/crate-call.ts';
export { parseIndexLine } from './library/parse-index-line.ts';
export { type CargoLockfile, type LockfilePackage, parseLockfile } from './library/parse-lockfile.ts';
export { parseManifest, type ParseManifestOptions } from './library/parse-manifest.ts';
export { planPublish, publish, type PublishOptions } from './library/publish.ts';
export {
  type Crate,
  type CrateFile,
  type CrateVcs,
  readCrate,
  type ReadCrateOptions,
} from './library/read-crate.ts';
export type { CratesCallOptions, RegistryCallOptions, RegistryOptions } from './library/registry-call.ts';
export { search, type Search, type SearchAllOptions, type SearchOptions } from './library/search.ts';
export { extract, type ExtractedCrate, tarball, type Tarball } from './library/tarball.ts';
export { tree, type TreeOptions } from './library/tree.ts';
export { UnfinishedError } from './library/unfinished-error.ts';
export { update, type UpdateOptions } from './library/update.ts';
export { vendor, type VendorOptions } from './library/vendor.ts';
export { satisfies, Version } from './library/version.ts';
export { manifest, versions } from './library/versions.ts';
export { whoami } from './library/whoami.ts';
export { yank, type YankOptions } from './library/yank.ts';

export { type ErrorCode, type Snippet, TsregError, type TsregErrorOptions } from './core/errors/error.ts';
export {
  type AnnotatedWarning,
  formatWarning,
  type Warning,
  type WarningPart,
  type WarningRemark,
} from './core/errors/warning.ts';
export type {
  DependencyEntry,
  JsonValue,
  MetadataDocument,
  NodeDependency,
  NodeEntry,
  PackageEntry,
  ResolveEntry,
  TargetEntry,
} from './core/document/document.ts';
export { type JsonSchema, METADATA_SCHEMA } from './core/document/schema.ts';
export type { PackageOnDisk } from './commands/fetch/run.ts';
export type { InfoDocument, VersionEntry } from './commands/info/document.ts';
export type { FeatureInfo, UseStatus } from './commands/info/features.ts';
export type { Relation } from './commands/info/workspace.ts';
export type { PackagedCrate } from './commands/package/run.ts';
export type { ChangeStatus } from './commands/shared/registry/request-outcome.ts';
export type { Vendored, VendoredPackage } from './commands/vendor/run.ts';
export type {
  ChangeEntry,
  HeldBackEntry,
  HoldReasonEntry,
  LockedVersion,
  NewerVersion,
  UpdateDocument,
} from './commands/shared/lock/update-document.ts';
export type {
  CallerReport as Report,
  Progress,
  ReportReceiver,
  StatusOptions,
  StatusStyle,
} from './core/report/report.ts';
export type { CrateOwner } from './core/protocol/api-responses.ts';
export type { IndexedDependency, IndexedVersion } from './core/protocol/indexed-version.ts';
export type { DependencyKind } from './core/summary/summary.ts';
export type { LockfileVersion } from './core/lockfile/lockfile.ts';
export type {
  TreeDocument,
  TreeDuplicateEntry,
  TreeEdgeEntry,
  TreeFeatureEntry,
  TreeNodeEntry,
  TreePackageEntry,
} from './core/tree/document.ts';
export type { EdgeKind } from './core/tree/graph.ts';
export type { OwnerDocument, OwnerEntry } from './commands/owner/run.ts';
export type {
  PlannedEntry,
  PublishKind,
  PublishLimit,
  PublishLimits,
  PublishPlan,
} from './commands/publish/plan.ts';
export type { PublishDocument, PublishedEntry, PublishState } from './commands/publish/result.ts';
export type { LoginDocument } from './commands/login/run.ts';
export type { LogoutDocument } from './commands/logout/run.ts';
export type { RegistryEntry, RegistryName } from './commands/shared/registry/registry-document.ts';
export type { SearchDocument, SearchEntry } from './commands/search/run.ts';
export type { WhoamiDocument, WhoamiToken } from './commands/whoami/run.ts';
export type { YankDocument, YankEntry } from './commands/yank/run.ts';
export type { CrateVersion } from './commands/yank/plan.ts';
