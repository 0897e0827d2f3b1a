import type { Config } from '../../config/config.ts';
import { type RecalledDependencies, recallDependencies } from '../../derived/dependency-record.ts';
import type { RecordStore } from '../../derived/store.ts';
import type { SourceTable } from '../../package-id/source-table.ts';
import { registriesOf } from '../lock/registries-of.ts';

/** What an earlier run kept of the dependencies of one workspace, read once, whoever asks for it. */
export class KeptDependencies {
  readonly #read: () => RecalledDependencies | null;
  #recalled: RecalledDependencies | null | undefined;

  /** The sources are those that the packages are to have; they belong to one reading of the workspace. */
  constructor(
    store: RecordStore,
    { root, sources }: { readonly root: string; readonly sources: SourceTable },
    config: Config,
  ) {
    this.#read = () => {
      const file = store.read('dependencies', root);
      if (file === null) return null;
      return recallDependencies(file, { root, sources, registry: registriesOf(config) });
    };
  }

  /**
   * As it was kept, for whatever lock file; null if there is nothing that can be used. Throws `DamagedRecordError`, and
   * where the configuration of a registry is wrong.
   */
  recall(): RecalledDependencies | null {
    if (this.#recalled === undefined) this.#recalled = this.#read();
    return this.#recalled;
  }
}
