/** Which versions are too new, by the configuration and the time. Cargo Book: Configuration, `resolver.incompatible-publish-age`. */
import type { Config } from '../../config/config.ts';
import { minimumAges } from '../../config/publish-age.ts';
import { TsregError } from '../../errors/error.ts';
import { PublishAge } from '../../resolve/publish-age.ts';

/** The minimum ages of one operation, counted from its start. */
export class PublishAgePolicy {
  readonly #config: Config;
  readonly #startedMs = Date.now();

  constructor(config: Config) {
    this.#config = config;
  }

  /** What a search leaves out; null if nothing. Throws where a minimum age is wrong, unless all versions are allowed. */
  forSearch(): PublishAge | null {
    return this.#isEnforced() ? this.#read() : null;
  }

  /** What a report remarks on, even if all versions are allowed; null if nothing is configured, or in the right way. */
  forReport(): PublishAge | null {
    try {
      return this.#read();
    } catch (error) {
      if (error instanceof TsregError && error.code === 'config') return null;
      throw error;
    }
  }

  #read(): PublishAge | null {
    const ages = minimumAges(this.#config);
    return ages === null ? null : new PublishAge({ ...ages, isEnforced: this.#isEnforced() }, this.#nowMs());
  }

  #isEnforced(): boolean {
    return this.#config.resolver()['incompatible-publish-age'] !== 'allow';
  }

  #nowMs(): number {
    // The variable by which cargo's own tests say what time it is.
    const text = this.#config.env['__CARGO_TEST_INVOCATION_TIME'];
    if (text === undefined) return this.#startedMs;
    const nowMs = Date.parse(text);
    if (!Number.isNaN(nowMs)) return nowMs;
    throw new TsregError(`\`__CARGO_TEST_INVOCATION_TIME\` is not a time: \`${text}\``, { code: 'config' });
  }
}
