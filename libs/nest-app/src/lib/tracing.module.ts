import { type EnvironmentOf } from '@ats/configuration';
import { type sharedVariables, type tracingVariables } from '@ats/domain';
import { startTracing, stopTracing, type TracingOptions } from '@ats/telemetry';
import { type DynamicModule, Logger, Module, type OnApplicationShutdown } from '@nestjs/common';
import { ENVIRONMENT } from './environment.module.js';

type TracingEnvironment = EnvironmentOf<typeof tracingVariables & Pick<typeof sharedVariables, 'RELEASE'>>;

const TRACING = Symbol('tracing');
/** Names of span attributes that this service sets. They have ids, numbers and versions, and never personal data. */
const ATTRIBUTES = [
  'ats.request.id',
  'ats.credential.id',
  'ats.api.version',
  'ats.event.id',
  'ats.event.deliveries',
  'ats.delivery.id',
  'ats.delivery.attempt',
  'ats.subscription.id',
  'ats.message.id',
];
const log = new Logger('traces');

/** Sends traces to the collector of `OTEL_EXPORTER_OTLP_ENDPOINT`. Does nothing when the variable is not set. */
@Module({})
export class TracingModule implements OnApplicationShutdown {
  /**
   * Makes the module.
   * @param options  `require` must be the app's own, so that it finds the drivers that the app uses
   */
  static with({ serviceName, require }: Pick<TracingOptions, 'serviceName' | 'require'>): DynamicModule {
    return {
      module: TracingModule,
      providers: [
        {
          provide: TRACING,
          inject: [ENVIRONMENT],
          useFactory: ({
            OTEL_SDK_DISABLED: isDisabled,
            OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
            OTEL_EXPORTER_OTLP_PROTOCOL: protocol = 'http/protobuf',
            RELEASE: version,
          }: TracingEnvironment) =>
            startTracing({
              endpoint,
              isDisabled,
              protocol,
              serviceName,
              version,
              attributes: ATTRIBUTES,
              require,
              onCollector: (isAvailable) =>
                isAvailable
                  ? log.log('the trace collector accepts spans again')
                  : log.warn('the trace collector is unavailable; spans are dropped until it accepts them again'),
            }),
        },
      ],
    };
  }

  onApplicationShutdown(): Promise<void> {
    return stopTracing();
  }
}
