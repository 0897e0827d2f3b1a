/**
 * Assertions about the public types. The type checker of the project checks them, and test/library/types.test.ts checks
 * them against the declarations of the package. Nothing here runs.
 */
import * as tsreg from '../../src/index.ts';
import * as server from '../../src/library/server/index.ts';

/** Is `true` if two types are identical. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

/** Compiles only for `true`. */
declare function assert<T extends true>(): T;

// Every function without a required option can be called without arguments.
assert<Same<ReturnType<typeof tsreg.metadata>, Promise<tsreg.Metadata>>>();
assert<Same<Parameters<typeof tsreg.metadata>['length'], 0 | 1>>();
assert<Same<tsreg.CallOptions['cwd'], string | undefined>>();
assert<Same<tsreg.CallOptions['env'], Readonly<Record<string, string | undefined>> | undefined>>();
void tsreg.tree();
void tsreg.update();
void tsreg.generateLockfile();
void tsreg.fetchPackages();
void tsreg.vendor();
void tsreg.packageCrate();
void tsreg.publish();
void tsreg.planPublish();
void tsreg.yank();
void tsreg.owner();
void tsreg.whoami();
void tsreg.login();
void tsreg.logout();
// @ts-expect-error: `spec` is required.
void tsreg.info();
// @ts-expect-error: `query` is required.
void tsreg.search({});
// @ts-expect-error: `null` is no folder.
void tsreg.metadata({ cwd: null });

// The results have one casing, except the document of `metadata` and its parts.
type KeysOf<T> = T extends readonly (infer E)[]
  ? KeysOf<E>
  : T extends Uint8Array
    ? never
    : T extends object
      ? { [K in keyof T & string]: K | ([tsreg.JsonValue] extends [T[K]] ? never : KeysOf<T[K]>) }[keyof T &
          string]
      : never;
type SnakeCase<T> = Extract<KeysOf<T>, `${string}_${string}`>;
assert<Same<SnakeCase<tsreg.TreeDocument>, never>>();
assert<Same<SnakeCase<tsreg.UpdateDocument>, never>>();
assert<Same<SnakeCase<Omit<tsreg.InfoDocument, 'package'>>, never>>();
assert<Same<tsreg.InfoDocument['package'], tsreg.PackageEntry>>();
assert<Same<SnakeCase<tsreg.PublishDocument>, never>>();
assert<Same<SnakeCase<tsreg.PublishPlan>, never>>();
assert<Same<SnakeCase<tsreg.YankDocument>, never>>();
assert<Same<SnakeCase<tsreg.OwnerDocument>, never>>();
assert<Same<SnakeCase<tsreg.SearchDocument>, never>>();
assert<Same<SnakeCase<tsreg.WhoamiDocument>, never>>();
assert<Same<SnakeCase<tsreg.LoginDocument>, never>>();
assert<Same<SnakeCase<tsreg.LogoutDocument>, never>>();
assert<Same<SnakeCase<tsreg.PackageOnDisk | tsreg.Vendored | tsreg.PackagedCrate>, never>>();

// The helpers on the document.
declare const document: tsreg.MetadataDocument;
assert<Same<ReturnType<typeof tsreg.packageById>, tsreg.PackageEntry | null>>();
assert<Same<ReturnType<typeof tsreg.rootPackage>, tsreg.PackageEntry | null>>();
assert<Same<ReturnType<typeof tsreg.workspacePackages>, readonly tsreg.PackageEntry[]>>();
assert<Same<ReturnType<typeof tsreg.workspaceDefaultPackages>, readonly tsreg.PackageEntry[]>>();
assert<Same<ReturnType<typeof tsreg.dependenciesOf>, readonly tsreg.PackageDependency[]>>();
for (const { kinds, package: found } of tsreg.dependenciesOf(document, 'id')) {
  void found.license?.length;
  assert<Same<(typeof kinds)[number]['kind'], 'normal' | 'dev' | 'build'>>();
}
// @ts-expect-error: a package may be missing.
void tsreg.packageById(document, 'id').name;

// Versions.
assert<Same<ReturnType<typeof tsreg.Version.parse>, tsreg.Version>>();
assert<Same<typeof tsreg.Version.prototype.major, number>>();
['1.0.0'].sort(tsreg.Version.compare);
[tsreg.Version.parse('1.0.0')].toSorted(tsreg.Version.compare);
assert<Same<ReturnType<typeof tsreg.satisfies>, boolean>>();
void tsreg.satisfies(new tsreg.Version('1.0.0'), '1');
// @ts-expect-error: a requirement is a text.
void tsreg.satisfies('1.0.0', tsreg.Version.parse('1.0.0'));

// The parts.
const manifest = tsreg.parseManifest('', { workspace: undefined, path: undefined });
assert<Same<typeof manifest, tsreg.CargoManifest>>();
assert<Same<NonNullable<typeof manifest.package>['version'], string | null>>();
assert<Same<(typeof manifest.dependencies)[number]['path'], string | null>>();
assert<Same<(typeof manifest.dependencies)[number]['kind'], 'normal' | 'dev' | 'build'>>();
// @ts-expect-error: a virtual manifest has no package.
void manifest.package.name;
assert<Same<ReturnType<typeof tsreg.parseLockfile>, tsreg.CargoLockfile>>();
assert<Same<tsreg.CargoLockfile['version'], 1 | 2 | 3 | 4>>();
assert<Same<ReturnType<typeof tsreg.parseIndexLine>, tsreg.IndexedVersion>>();
assert<Same<ReturnType<typeof tsreg.readCrate>, Promise<tsreg.Crate>>>();
assert<Same<tsreg.CrateFile['content'], Uint8Array>>();
void tsreg.readCrate(new Uint8Array(), { cwd: '/' });
// @ts-expect-error: it is no stream.
void tsreg.readCrate(new ReadableStream());
assert<
  Same<SnakeCase<tsreg.CargoManifest | tsreg.CargoLockfile | tsreg.IndexedVersion | tsreg.Crate>, never>
>();

// Crates of a registry.
assert<Same<ReturnType<typeof tsreg.versions>, Promise<readonly tsreg.IndexedVersion[]>>>();
assert<Same<ReturnType<typeof tsreg.manifest>, Promise<tsreg.IndexedVersion>>>();
assert<Same<tsreg.Tarball['bytes'], Uint8Array>>();
assert<Same<ReturnType<tsreg.Tarball['stream']>, ReadableStream<Uint8Array>>>();
assert<Same<tsreg.ExtractedCrate['path'], string>>();
for await (const crate of tsreg.search.all('json')) assert<Same<typeof crate, tsreg.SearchEntry>>();
void tsreg.publish({ file: 'a.crate' });
void tsreg.publish({ file: new Uint8Array() });
void tsreg.publish({ file: new Blob([]).stream() });
// @ts-expect-error: the parts of a stream are bytes.
void tsreg.publish({ file: new ReadableStream<string>() });
// @ts-expect-error: the first argument is the crate.
void tsreg.versions({});

// `tsreg/server`.
const registry = await server.startRegistry();
assert<Same<typeof registry, server.Registry>>();
assert<Same<(typeof registry)[typeof Symbol.asyncDispose], () => Promise<void>>>();
assert<Same<ReturnType<typeof registry.fetch>, Promise<Response>>>();
void registry.token('alice', { scopes: ['yank'], name: undefined });
// @ts-expect-error: no scope has this name.
void registry.token('alice', { scopes: ['write'] });
// @ts-expect-error: `url` is required.
void server.openRegistry({});

// Errors.
declare const error: tsreg.TsregError;
assert<Same<typeof error.name, 'TsregError' | 'AbortError'>>();
assert<Same<Extract<tsreg.ErrorCode, 'aborted'>, 'aborted'>>();
declare const unfinished: tsreg.UnfinishedError<tsreg.PublishDocument>;
assert<Same<typeof unfinished.document.dryRun, boolean>>();
