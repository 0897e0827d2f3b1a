import { type BuiltCrate, buildCrate, type CrateDecl } from './crate.ts';

/** The body of cargo's publish request, and its parts. */
export interface PublishBody {
  readonly crate: BuiltCrate;
  readonly archive: Buffer;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly bytes: Buffer;
}

/** Returns the body that publishes a crate. `more` replaces or adds fields of its JSON. */
export function publishBody(decl: CrateDecl, more: Readonly<Record<string, unknown>> = {}): PublishBody {
  const crate = buildCrate(decl, (registry) => registry);
  const archive = crate.archive ?? Buffer.alloc(0);
  const deps = (decl.deps ?? []).map((dep) => {
    const full =
      typeof dep === 'string' ? { name: dep.split(' ')[0] ?? '', req: dep.slice(dep.indexOf(' ') + 1) } : dep;
    return {
      name: full.package ?? full.name,
      version_req: full.req ?? '*',
      features: full.features ?? [],
      optional: full.optional ?? false,
      default_features: full.default ?? true,
      target: full.target ?? null,
      kind: full.kind ?? 'normal',
      registry: full.registry ?? null,
      explicit_name_in_toml: full.package === undefined ? null : full.name,
    };
  });
  const metadata = {
    name: decl.name,
    vers: decl.version,
    deps,
    features: decl.features ?? {},
    authors: [],
    description: null,
    documentation: null,
    homepage: null,
    readme: null,
    readme_file: null,
    keywords: [],
    categories: [],
    license: null,
    license_file: null,
    repository: null,
    badges: {},
    links: decl.links ?? null,
    rust_version: decl.rust_version ?? null,
    ...more,
  };
  return { crate, archive, metadata, bytes: frameBody(JSON.stringify(metadata), archive) };
}

/** Puts the length of each part before it, as 32 bits little-endian. */
export function frameBody(json: string | Buffer, archive: Buffer): Buffer {
  const parts = [Buffer.from(json), archive].flatMap((part) => {
    const length = Buffer.alloc(4);
    length.writeUInt32LE(part.length);
    return [length, part];
  });
  return Buffer.concat(parts);
}
