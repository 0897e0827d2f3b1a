import { expect, it } from 'vitest';
import { Metrics } from '../../../src/server/shared/metrics.ts';

it('renders request counts and durations in the Prometheus format', () => {
  const metrics = new Metrics();
  for (const seconds of [0.0005, 0.3, 20]) {
    metrics.begin();
    metrics.end({ route: 'index', method: 'GET', status: 200, seconds });
  }
  metrics.begin();
  metrics.end({ route: 'index', method: 'BREW', status: 404, seconds: 0 });
  metrics.begin();
  const lines = metrics.render([{ name: 'tsreg_crates', help: 'Crates.', value: 7 }]).split('\n');
  expect(lines).toEqual(
    expect.arrayContaining([
      '# TYPE tsreg_http_requests_total counter',
      'tsreg_http_requests_total{route="index",method="GET",status="200"} 3',
      'tsreg_http_requests_total{route="index",method="other",status="404"} 1',
      'tsreg_http_request_duration_seconds_bucket{route="index",le="0.001"} 2',
      'tsreg_http_request_duration_seconds_bucket{route="index",le="0.25"} 2',
      'tsreg_http_request_duration_seconds_bucket{route="index",le="0.5"} 3',
      'tsreg_http_request_duration_seconds_bucket{route="index",le="+Inf"} 4',
      'tsreg_http_request_duration_seconds_count{route="index"} 4',
      'tsreg_http_requests_in_flight 1',
      'tsreg_crates 7',
    ]),
  );
  expect(lines.at(-1)).toBe('');
});
