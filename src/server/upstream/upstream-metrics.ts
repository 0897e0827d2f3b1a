import type { Metric } from '../shared/metrics.ts';
import type { MirrorStatus } from '../store/mirror-status.ts';

/** Counts of one process since its start that only metrics report. */
export interface UpstreamCounts {
  /** Cached index files that were served because the upstream failed. */
  readonly staleResponses: number;
  readonly pulledArchives: number;
  readonly pulledBytes: number;
  readonly downloads: number;
}

/** Returns the metrics of an upstream, without those of its quota. */
export function upstreamMetrics(status: MirrorStatus, counts: UpstreamCounts): readonly Metric[] {
  return [
    {
      name: 'tsreg_upstream_reached',
      help: 'Whether the upstream responded to the last request.',
      value: status.state === 'ok' ? 1 : 0,
    },
    { name: 'tsreg_upstream_requests_total', help: 'Requests to the upstream.', value: status.requests },
    {
      name: 'tsreg_upstream_failures_total',
      help: 'Requests to the upstream that failed.',
      value: status.failures,
    },
    {
      name: 'tsreg_upstream_refused_total',
      help: 'Files of the upstream that were refused, because their content is wrong.',
      value: status.refusedFiles,
    },
    {
      name: 'tsreg_upstream_stale_answers_total',
      help: 'Cached index files served because the upstream did not respond.',
      value: counts.staleResponses,
    },
    {
      name: 'tsreg_upstream_pulled_archives_total',
      help: 'Archives downloaded from the upstream.',
      value: counts.pulledArchives,
    },
    {
      name: 'tsreg_upstream_pulled_bytes_total',
      help: 'Bytes of archives downloaded from the upstream.',
      value: counts.pulledBytes,
    },
    {
      name: 'tsreg_upstream_downloads_total',
      help: 'Downloads of crates of the upstream.',
      value: counts.downloads,
    },
    {
      name: 'tsreg_upstream_gated_downloads_total',
      help: 'Downloads that the rules for versions of the upstream refused.',
      value: Object.values(status.gatedDownloads).reduce((total, count) => total + count, 0),
    },
  ];
}
