import { z } from 'zod';
import { schemas } from './schemas.js';
import { variable } from './variable.js';

/**
 * Where traces go. Its libraries read some more variables of OpenTelemetry themselves (`OTEL_BSP_…`, `OTEL_EXPORTER_OTLP_TIMEOUT`,
 * `OTEL_RESOURCE_ATTRIBUTES`); these are what operators set, checked like all others.
 */
export const tracingVariables = {
  OTEL_EXPORTER_OTLP_ENDPOINT: variable({
    schema: schemas.serverUrl(['http:', 'https:']),
    description:
      'The collector of OpenTelemetry that traces are sent to, over HTTP; `OTEL_BSP_…`, `OTEL_RESOURCE_ATTRIBUTES` and `OTEL_EXPORTER_OTLP_TIMEOUT` hold too.',
    whenAbsent: 'no traces are made',
    example: 'http://otel-collector:4318',
  }),
  OTEL_SDK_DISABLED: variable({
    schema: schemas.flag,
    description: '`true` makes no traces, whatever else is set.',
    whenAbsent: 'traces are made where they can be sent',
  }),
  OTEL_EXPORTER_OTLP_PROTOCOL: variable({
    schema: schemas.oneOf(['http/protobuf', 'http/json']),
    description: 'How spans are written: `http/protobuf` or `http/json`.',
    whenAbsent: '`http/protobuf`',
  }),
  OTEL_EXPORTER_OTLP_HEADERS: variable({
    schema: z.string(),
    description: 'Header lines for the collector, such as its token.',
    whenAbsent: 'none',
    example: 'authorization=Bearer%20token',
    isSecret: true,
  }),
  OTEL_SERVICE_NAME: variable({
    schema: z.string(),
    description: 'The name of the process in traces.',
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
      'Which traces are kept; what a client or the API has decided holds for all that follows with those that begin with `parentbased_`.',
    whenAbsent: '`parentbased_always_on`',
  }),
  OTEL_TRACES_SAMPLER_ARG: variable({
    schema: schemas.readBy(
      (text) => (text.trim() !== '' && Number(text) >= 0 && Number(text) <= 1 ? text : null),
      'must be a number from 0 to 1',
    ),
    description: 'The part of all traces that `traceidratio` keeps.',
    whenAbsent: '1',
    example: '0.1',
  }),
} as const;
