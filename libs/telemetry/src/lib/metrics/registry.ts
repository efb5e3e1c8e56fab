import { Registry } from 'prom-client';

export { Registry };

/** What `/metrics` answers with: the text format of Prometheus. */
export const metricsContentType = Registry.PROMETHEUS_CONTENT_TYPE;
