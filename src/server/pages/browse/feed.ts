/** Atom feeds of new versions. RFC 4287. */
import type { Version } from '../../store/values.ts';
import { html, type Html } from '../shared/html.ts';
import { cratePath, profilePath } from '../shared/paths.ts';

/** The content type of feeds. */
export const FEED_TYPE = 'application/atom+xml';

/** A feed. Its paths are on this site. */
export interface Feed {
  /** URL of the site, without a trailing slash. */
  readonly baseUrl: string;
  readonly siteName: string;
  readonly title: string;
  readonly path: string;
  /** Path of the page that lists the same versions. */
  readonly pagePath: string;
  /** The time of the last change of a feed without versions. */
  readonly emptySinceMs: number;
  /** Latest first. */
  readonly versions: readonly Version[];
}

/** Returns a feed as XML. The IDs of entries are URLs, because the page of a version never gets another one. */
export function feedDocument(feed: Feed): Html {
  const { baseUrl, siteName, versions, emptySinceMs } = feed;
  const url = baseUrl + feed.path;
  const updated =
    versions.length === 0 ? emptySinceMs : Math.max(...versions.map(({ publishedAtMs }) => publishedAtMs));
  return html`<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en">
<id>${url}</id>
<title>${xmlText(feed.title)}</title>
<updated>${timeText(updated)}</updated>
<author><name>${xmlText(siteName)}</name><uri>${baseUrl}/</uri></author>
<link rel="self" type="${FEED_TYPE}" href="${url}"/>
<link rel="alternate" type="text/html" href="${baseUrl + feed.pagePath}"/>
${versions.map((version) => entry(feed, version))}</feed>
`;
}

function entry({ baseUrl }: Feed, version: Version): Html {
  const url = baseUrl + cratePath(version.crate, version.version);
  const { publishedBy, publisherName, metadata } = version;
  const time = timeText(version.publishedAtMs);
  return html`<entry>
<id>${url}</id>
<title>${xmlText(`${version.crate} ${version.version}`)}</title>
<published>${time}</published>
<updated>${time}</updated>
<author><name>${xmlText(publisherName ?? publishedBy)}</name><uri>${baseUrl + profilePath(publishedBy)}</uri></author>
<link rel="alternate" type="text/html" href="${url}"/>
${metadata.keywords.map((word) => html`<category term="${xmlText(word)}"/>\n`)}${metadata.description !== null && html`<summary>${xmlText(metadata.description)}</summary>\n`}</entry>
`;
}

/** Returns a time as RFC 3339 requires. */
function timeText(timeMs: number): string {
  return new Date(timeMs).toISOString();
}

/** Returns text without characters that XML cannot express, not even escaped. XML 1.0, section 2.2. */
function xmlText(text: string): string {
  return text.replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '\ufffd');
}
