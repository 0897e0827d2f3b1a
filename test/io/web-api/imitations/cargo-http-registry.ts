import { errors, type Imitation, indexDependency, KeptCrates, readCall, text } from './imitation.ts';

/**
 * cargo-http-registry: the index is a git repository, and the web API can only publish. Everybody may publish. A
 * publish gets an empty response, and a second one of the same version gets errors with status 200. Other requests get
 * 405.
 */
export function cargoHttpRegistry(): Imitation {
  const crates = new KeptCrates();
  return {
    name: 'cargo-http-registry',
    index: 'git',
    token: 'anything',
    crates,
    config: (url) => ({ dl: `${url}/dl/{crate}/{version}/download`, api: url }),
    files: () =>
      crates.indexFiles(({ name, vers, metadata, checksum, isYanked }) => ({
        ...{ name, vers, deps: metadata.deps.map(indexDependency), cksum: checksum },
        ...{ features: metadata.features, yanked: isYanked, links: metadata.links },
      })),
    answer(request) {
      const call = readCall(request);
      if (call.action === 'download') {
        const version = crates.find(call.name, call.vers);
        return version === undefined ? text(404, '') : { body: version.archive };
      }
      if (call.action !== 'publish') return text(405, 'HTTP method not allowed', [['Allow', 'PUT']]);
      const sent = KeptCrates.read(request.body);
      if (sent === null) return errors(200, 'failed to read the request');
      if (crates.find(sent.name, sent.vers) !== undefined)
        return errors(200, `crate version ${sent.vers} is already published`);
      crates.add(sent);
      return { status: 200 };
    },
  };
}
