/** Texts that manifests and the lines of an index repeat, each parsed once. */
import { parsePlatform } from '../platform/parse-platform.ts';
import type { Platform } from '../platform/platform.ts';
import { parseVersionReq, type VersionReq } from '../version/requirement.ts';

/** What was parsed so far. */
export class ParsedTexts {
  readonly #requirements = new Map<string, VersionReq>();
  readonly #platforms = new Map<string, Platform>();

  /** As `parseVersionReq`. */
  requirement(text: string): VersionReq {
    let parsed = this.#requirements.get(text);
    if (parsed === undefined) this.#requirements.set(text, (parsed = parseVersionReq(text)));
    return parsed;
  }

  /** As `parsePlatform`. */
  platform(text: string): Platform {
    let parsed = this.#platforms.get(text);
    if (parsed === undefined) this.#platforms.set(text, (parsed = parsePlatform(text)));
    return parsed;
  }
}
