/** Texts that manifests and index lines repeat. */
import { parsePlatform } from '../platform/parse-platform.ts';
import type { Platform } from '../platform/platform.ts';
import { parseVersionReq, type VersionReq } from '../version/requirement.ts';

/** A cache of parsed requirements and platforms, with one shared value for equal texts. */
export class ParseCache {
  readonly #requirements = new Map<string, VersionReq>();
  readonly #platforms = new Map<string, Platform>();

  /** Returns the cached result of `parseVersionReq`. */
  requirement(text: string): VersionReq {
    let parsed = this.#requirements.get(text);
    if (parsed === undefined) this.#requirements.set(text, (parsed = parseVersionReq(text)));
    return parsed;
  }

  /** Returns the cached result of `parsePlatform`. */
  platform(text: string): Platform {
    let parsed = this.#platforms.get(text);
    if (parsed === undefined) this.#platforms.set(text, (parsed = parsePlatform(text)));
    return parsed;
  }
}
