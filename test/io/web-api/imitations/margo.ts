import { type Imitation, indexDependency, KeptCrates, readCall, text } from './imitation.ts';

/**
 * margo: static files only, without a web API. `dl` has markers. Responses have a `Last-Modified` and no ETag.
 * Dev-dependencies are dropped, and every dependency names its registry.
 */
export function margo(): Imitation {
  const crates = new KeptCrates();
  return {
    name: 'margo',
    index: 'sparse',
    token: 'nobody-asks',
    crates,
    config: (url) => ({
      dl: `${url}/dl/{lowerprefix}/{crate}/{version}.crate`,
      api: null,
      'auth-required': false,
    }),
    files: (url) =>
      crates.indexFiles(({ name, vers, metadata, checksum, isYanked }) => ({
        ...{ name, vers, cksum: checksum, features: {}, yanked: isYanked, links: metadata.links, v: 2 },
        deps: metadata.deps
          .filter(({ kind }) => kind !== 'dev')
          .map((dep) => ({ ...indexDependency(dep), registry: dep.registry ?? `sparse+${url}/index/` })),
        features2: metadata.features,
      })),
    answer(request, url) {
      const call = readCall(request);
      const dated = [['Last-Modified', 'Sat, 21 Nov 2026 09:41:24 GMT']] as const;
      if (call.action === 'index') {
        const file =
          call.file === 'config.json' ? JSON.stringify(this.config(url)) : this.files(url).get(call.file);
        return file === undefined ? text(404, 'File not found') : { headers: dated, body: file };
      }
      const [, name = '', vers = ''] = /^\/dl\/..\/..\/([^/]+)\/([^/]+)\.crate$/.exec(request.target) ?? [];
      const version = crates.find(name, vers);
      return version === undefined ? text(404, 'File not found') : { headers: dated, body: version.archive };
    },
  };
}
