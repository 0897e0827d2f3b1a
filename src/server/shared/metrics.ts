/** Metrics of the running server, in the text format of Prometheus. */

/** Upper bounds of the buckets for durations, in seconds. */
const BOUNDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10] as const;

interface Histogram {
  /** The number of requests in each bucket, without those in smaller buckets. */
  readonly buckets: readonly { readonly bound: number; count: number }[];
  sum: number;
  count: number;
}

/** A request with its response. */
export interface FinishedRequest {
  /** The kind of path, one of a few. */
  readonly route: string;
  readonly method: string;
  readonly status: number;
  readonly seconds: number;
}

/** A metric without labels whose value is read on request. */
export interface Metric {
  /** Ends with `_total` for a counter, which only grows. Any other name means a gauge. */
  readonly name: string;
  readonly help: string;
  readonly value: number;
}

/** Request metrics of one process. */
export class Metrics {
  readonly #requests = new Map<string, number>();
  readonly #durations = new Map<string, Histogram>();
  #inFlight = 0;

  /** Counts the start of a request. */
  begin(): void {
    this.#inFlight += 1;
  }

  /** Counts the end of a request. */
  end({ route, method, status, seconds }: FinishedRequest): void {
    this.#inFlight -= 1;
    const labels = `route="${route}",method="${knownMethod(method)}",status="${status}"`;
    this.#requests.set(labels, (this.#requests.get(labels) ?? 0) + 1);
    let histogram = this.#durations.get(route);
    if (histogram === undefined) {
      histogram = { buckets: BOUNDS.map((bound) => ({ bound, count: 0 })), sum: 0, count: 0 };
      this.#durations.set(route, histogram);
    }
    const bucket = histogram.buckets.find(({ bound }) => seconds <= bound);
    if (bucket !== undefined) bucket.count += 1;
    histogram.sum += seconds;
    histogram.count += 1;
  }

  /** Returns all metrics as text, followed by `others`. */
  render(others: readonly Metric[]): string {
    const lines: string[] = [];
    lines.push(...head('tsreg_http_requests_total', 'counter', 'Finished requests.'));
    for (const [labels, count] of this.#requests) {
      lines.push(`tsreg_http_requests_total{${labels}} ${count}`);
    }
    const duration = 'tsreg_http_request_duration_seconds';
    lines.push(...head(duration, 'histogram', 'Time until the response began.'));
    for (const [route, { buckets, sum, count }] of this.#durations) {
      // A bucket of Prometheus includes all smaller ones.
      let total = 0;
      for (const bucket of buckets) {
        total += bucket.count;
        lines.push(`${duration}_bucket{route="${route}",le="${bucket.bound}"} ${total}`);
      }
      lines.push(
        `${duration}_bucket{route="${route}",le="+Inf"} ${count}`,
        `${duration}_sum{route="${route}"} ${sum}`,
        `${duration}_count{route="${route}"} ${count}`,
      );
    }
    const inFlight = {
      name: 'tsreg_http_requests_in_flight',
      help: 'Requests in progress.',
      value: this.#inFlight,
    };
    for (const { name, help, value } of [inFlight, ...others]) {
      const type = name.endsWith('_total') ? 'counter' : 'gauge';
      lines.push(...head(name, type, help), `${name} ${value}`);
    }
    return `${lines.join('\n')}\n`;
  }
}

function head(name: string, type: string, help: string): readonly string[] {
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`];
}

/** Returns `other` for unknown methods, because clients can invent any number of them. */
function knownMethod(method: string): string {
  return ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'POST', 'OPTIONS'].includes(method) ? method : 'other';
}
