import type { Config } from '../../config/config.ts';
import {
  areOfLockFile,
  type DependencyCheck,
  type RecalledDependencies,
  recallChanges,
  recallDependencies,
} from '../../derived/dependency-record.ts';
import type { RecordStore } from '../../derived/store.ts';
import type { SourceTable } from '../../package-id/source-table.ts';
import { registriesOf } from '../lock/registries-of.ts';

/** What earlier runs kept of the dependencies of one workspace, read once, whoever asks for it. */
export class KeptDependencies {
  readonly #store: RecordStore;
  readonly #check: DependencyCheck;
  #whole: RecalledDependencies | null | undefined;
  #newest: RecalledDependencies | null | undefined;

  /** The sources are those that the packages are to have; they belong to one reading of the workspace. */
  constructor(
    store: RecordStore,
    { root, sources }: { readonly root: string; readonly sources: SourceTable },
    config: Config,
  ) {
    this.#store = store;
    this.#check = { root, sources, registry: registriesOf(config) };
  }

  /**
   * As they were kept last, for whatever lock file; null if there is nothing that can be used. Throws
   * `DamagedRecordError`, and where the configuration of a registry is wrong.
   */
  recall(): RecalledDependencies | null {
    if (this.#newest === undefined) this.#newest = this.#recallChanges() ?? this.#recallWhole();
    return this.#newest;
  }

  /** As `recall`, those of this lock file; null if they are of none that this one is. */
  recallFor(lockFile: Uint8Array): RecalledDependencies | null {
    const whole = this.#recallWhole();
    if (whole !== null && areOfLockFile(whole, lockFile)) return whole;
    const newest = this.recall();
    return newest !== null && areOfLockFile(newest, lockFile) ? newest : null;
  }

  #recallWhole(): RecalledDependencies | null {
    if (this.#whole === undefined) {
      const file = this.#store.read('dependencies', this.#check.root);
      this.#whole = file === null ? null : recallDependencies(file, this.#check);
    }
    return this.#whole;
  }

  #recallChanges(): RecalledDependencies | null {
    const whole = this.#recallWhole();
    const file = whole === null ? null : this.#store.read('changes', this.#check.root);
    return whole === null || file === null ? null : recallChanges(file, whole, this.#check);
  }
}
