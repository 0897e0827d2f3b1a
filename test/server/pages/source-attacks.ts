import { expect } from 'vitest';
import { README_ATTACKS } from './readme-attacks.ts';

/** Code that tries to inject more than text into a page. */
export const CODE_ATTACKS: readonly string[] = [
  ...README_ATTACKS.filter((attack) => attack.length < 1000),
  '</code></pre></div></main><script>alert(1)</script>',
  '// </span><script>alert(1)</script>',
  '"</span><img src=x onerror=alert(1)>"',
  '/* <span class="hljs-keyword"><script>alert(1)</script></span> */',
  '&lt;script&gt;alert(1)&lt;/script&gt;',
  '&amp;lt;img src=x onerror=alert(1)&amp;gt;',
  'r#"</span></span></code><svg onload=alert(1)>"#',
  '\u202e<script>alert(1)</script>\u2066',
  '\r<img src=x onerror=alert(1)>',
  '\u0001\u007f<script>alert(1)</script>',
];

/** Names of files that an archive may have. */
export const NAME_ATTACKS: readonly string[] = [
  "src/'onmouseover='alert(1).rs",
  'src/&quot; onfocus=alert(1) x=&quot;.rs',
  'src/%3Cscript%3Ealert(1)%3C%2Fscript%3E.rs',
  'src/javascript&#58;alert(1).rs',
  'src/.../lib.rs',
  'src/#L1.rs',
  'src/a b;c&raw=1.rs',
];

/** Checks that a page has only the script of the site, no handlers and no styles, and links only within the site. */
export function expectInert(page: string): void {
  let scripts = 0;
  const rest = page.replace(
    /<\/?([a-z][a-z0-9]*)((?:\s+[a-zA-Z-]+(?:="[^"<]*")?)*)\s*\/?>/g,
    (tag, name: string, list: string) => {
      if (tag.startsWith('<script')) scripts += 1;
      expect(name).not.toMatch(/^(?:iframe|object|embed|base|style|math|frame|portal)$/);
      for (const [, attribute = '', value = ''] of list.matchAll(/\s([a-zA-Z-]+)(?:="([^"]*)")?/g)) {
        expect(attribute, tag).not.toMatch(/^(?:on|style$|srcdoc$|formaction$)/i);
        if (/^(?:href|src|action)$/.test(attribute)) expect(value, tag).toMatch(/^(?:\/(?!\/)|#)/);
      }
      return '';
    },
  );
  // All text is escaped, so this is the start of a tag that is not well-formed.
  expect(rest.replace('<!doctype html>', '')).not.toContain('<');
  expect(scripts).toBe(1);
}
