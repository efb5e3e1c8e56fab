import { createRequire } from 'node:module';
import { startTracing, stopTracing } from '@ats/telemetry';
import { Logger, Module, type OnApplicationShutdown } from '@nestjs/common';
import { type Environment } from '../config/env.js';
import { ENVIRONMENT } from '../config/environment.module.js';

const TRACING = Symbol('tracing');
const log = new Logger('traces');

/** Traces, where somebody collects them: see libs/telemetry. */
@Module({
  providers: [
    {
      provide: TRACING,
      inject: [ENVIRONMENT],
      useFactory: ({
        OTEL_SDK_DISABLED: isDisabled,
        OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
        OTEL_EXPORTER_OTLP_PROTOCOL: protocol = 'http/protobuf',
        RELEASE: version,
      }: Environment) =>
        startTracing({
          endpoint,
          isDisabled,
          protocol,
          serviceName: 'ats-notifier',
          version,
          require: createRequire(import.meta.url),
          onCollector: (isThere) =>
            isThere
              ? log.log('spans are sent again')
              : log.warn('the collector takes no spans: they are dropped until it does'),
        }),
    },
  ],
})
export class TracingModule implements OnApplicationShutdown {
  onApplicationShutdown(): Promise<void> {
    return stopTracing();
  }
}
