import { Registry } from 'prom-client';

export { Registry };

/** The `Content-Type` of `/metrics`: the text format of Prometheus. */
export const metricsContentType = Registry.PROMETHEUS_CONTENT_TYPE;
