import { type DynamicModule, Global, Module } from '@nestjs/common';
import { type Environment } from './env.js';

/** Token of the app's configuration. */
export const ENVIRONMENT = Symbol('environment');

@Global()
@Module({})
export class EnvironmentModule {
  static with(environment: Environment): DynamicModule {
    return {
      module: EnvironmentModule,
      providers: [{ provide: ENVIRONMENT, useValue: environment }],
      exports: [ENVIRONMENT],
    };
  }
}
