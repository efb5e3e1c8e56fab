import { expect, it } from '@jest/globals';
import { Registry } from 'prom-client';
import { Instruments } from './instruments.js';
import { RequestMetrics } from './request-metrics.js';

it('RequestMetrics adds no time series for unknown methods and routes', async () => {
  const registry = new Registry();
  const metrics = new RequestMetrics(new Instruments(registry, 'shop_'));
  const request = { method: 'GET', route: '/orders/:id', status: 200, durationMs: 3, bytes: 100 };
  for (let n = 0; n < 100; n++) {
    for (const one of [request, { ...request, method: `METHOD${n}` }, { ...request, route: undefined, status: 404 }]) {
      metrics.begun();
      metrics.ended(one);
    }
  }
  const samples = (await registry.metrics()).split('\n').filter((line) => line.startsWith('shop_http_requests_total{'));
  expect(samples.sort()).toEqual([
    'shop_http_requests_total{method="GET",route="/orders/:id",status="200"} 100',
    'shop_http_requests_total{method="GET",route="unknown",status="404"} 100',
    'shop_http_requests_total{method="unknown",route="/orders/:id",status="200"} 100',
  ]);
  expect(await registry.metrics()).toContain('shop_http_requests_in_flight 0\n');
});
