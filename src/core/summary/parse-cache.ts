/** Texts that manifests and index lines repeat. */
import { parsePlatform } from '../platform/parse-platform.ts';
import type { Platform } from '../platform/platform.ts';
import { parseVersionReq, type VersionReq } from '../version/requirement.ts';

/** A cache of parsed requirements and platforms, with one shared value for equal texts. Errors are not cached. */
export class ParseCache {
  readonly #requirements = new Map<string, VersionReq>();
  readonly #platforms = new Map<string, Platform>();

  /** Returns the result of `parseVersionReq`, cached. Throws what it throws. */
  requirement(text: string): VersionReq {
    let parsed = this.#requirements.get(text);
    if (parsed === undefined) {
      parsed = parseVersionReq(text);
      this.#requirements.set(text, parsed);
    }
    return parsed;
  }

  /** Returns the result of `parsePlatform`, cached. Throws what it throws. */
  platform(text: string): Platform {
    let parsed = this.#platforms.get(text);
    if (parsed === undefined) {
      parsed = parsePlatform(text);
      this.#platforms.set(text, parsed);
    }
    return parsed;
  }
}
