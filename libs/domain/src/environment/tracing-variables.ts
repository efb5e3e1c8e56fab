import { schemas, variable } from '@ats/configuration';
import { z } from 'zod';

/**
 * The tracing variables that operators usually set. The app checks them when it starts. The libraries of OpenTelemetry
 * read further variables by themselves (`OTEL_BSP_…`, `OTEL_EXPORTER_OTLP_TIMEOUT`, `OTEL_RESOURCE_ATTRIBUTES`).
 */
export const tracingVariables = {
  OTEL_EXPORTER_OTLP_ENDPOINT: variable({
    schema: schemas.serverUrl(['http:', 'https:']),
    description:
      'The OpenTelemetry collector that receives traces over HTTP. `OTEL_BSP_…`, `OTEL_RESOURCE_ATTRIBUTES` and ' +
      '`OTEL_EXPORTER_OTLP_TIMEOUT` apply too.',
    whenAbsent: 'no traces are recorded',
    example: 'http://otel-collector:4318',
  }),
  OTEL_SDK_DISABLED: variable({
    schema: schemas.flag,
    description: '`true` switches tracing off, regardless of the other variables.',
    whenAbsent: '`false`',
  }),
  OTEL_EXPORTER_OTLP_PROTOCOL: variable({
    schema: schemas.oneOf(['http/protobuf', 'http/json']),
    description: 'The encoding of exported spans: `http/protobuf` or `http/json`.',
    whenAbsent: '`http/protobuf`',
  }),
  OTEL_EXPORTER_OTLP_HEADERS: variable({
    schema: z.string(),
    description: 'Headers of requests to the collector, such as its token.',
    whenAbsent: 'none',
    example: 'authorization=Bearer%20token',
    isSecret: true,
  }),
  OTEL_SERVICE_NAME: variable({
    schema: z.string(),
    description: 'The name of the service in traces.',
    whenAbsent: '`ats-` and the name of the app',
  }),
  OTEL_TRACES_SAMPLER: variable({
    schema: schemas.oneOf([
      'always_on',
      'always_off',
      'traceidratio',
      'parentbased_always_on',
      'parentbased_always_off',
      'parentbased_traceidratio',
    ]),
    description:
      'Decides which traces are recorded. ' +
      'Samplers that begin with `parentbased_` follow the decision of the client or of the API.',
    whenAbsent: '`parentbased_always_on`',
  }),
  OTEL_TRACES_SAMPLER_ARG: variable({
    schema: schemas.readBy(
      (text) => (text.trim() !== '' && Number(text) >= 0 && Number(text) <= 1 ? text : null),
      'must be a number from 0 to 1',
    ),
    description: 'The fraction of traces that `traceidratio` records.',
    whenAbsent: '1',
    example: '0.1',
  }),
} as const;
