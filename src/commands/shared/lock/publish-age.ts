/**
 * Decides which versions are too new, from the configuration and the time.
 * Cargo Book: Configuration, `resolver.incompatible-publish-age`.
 */
import type { Config } from '../../../io/config/config.ts';
import { minimumAges } from '../../../io/config/publish-age.ts';
import { TsregError } from '../../../core/errors/error.ts';
import { PublishAge } from '../../../core/resolve/publish-age.ts';

/** The minimum ages of one operation, relative to its start. */
export class PublishAgePolicy {
  readonly #config: Config;
  readonly #startedMs = Date.now();

  constructor(config: Config) {
    this.#config = config;
  }

  /**
   * Returns the minimum ages that a search enforces; null if it enforces none. If not null, the result of a search
   * depends on the time, so `resolveProblem` rejects the result cache. Throws if a minimum age is invalid, unless all
   * versions are allowed.
   */
  forSearch(): PublishAge | null {
    return this.#isEnforced() ? this.#read() : null;
  }

  /**
   * Returns the minimum ages for reports, even if all versions are allowed; null if none is set or one is invalid. That
   * is no error here: if it matters, `forSearch` has already thrown.
   */
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
    // cargo's own tests set the time with this variable.
    const text = this.#config.env['__CARGO_TEST_INVOCATION_TIME'];
    if (text === undefined) return this.#startedMs;
    const nowMs = Date.parse(text);
    if (!Number.isNaN(nowMs)) return nowMs;
    throw new TsregError(`\`__CARGO_TEST_INVOCATION_TIME\` is not a time: \`${text}\``, { code: 'config' });
  }
}
