import { type DynamicModule, Global, Module } from '@nestjs/common';

/** Injection token of the app's configuration: its environment, checked and typed. */
export const ENVIRONMENT = Symbol('environment');

@Global()
@Module({})
export class EnvironmentModule {
  static with(environment: object): DynamicModule {
    return {
      module: EnvironmentModule,
      providers: [{ provide: ENVIRONMENT, useValue: environment }],
      exports: [ENVIRONMENT],
    };
  }
}
