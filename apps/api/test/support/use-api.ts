import { afterAll, beforeAll } from '@jest/globals';
import { Api } from './api-harness.js';
import { Factories } from './factories.js';
import { FormFactories } from './form-factories.js';

/**
 * Gives a spec file its own API with factories, from its first hook to its last. Use `api` only inside tests and hooks.
 * The parameters are those of `Api.start`.
 */
export function useApi(...options: Parameters<typeof Api.start>): {
  readonly api: Api;
  readonly make: Factories;
  readonly forms: FormFactories;
} {
  const api = Object.create(Api.prototype) as Api;
  beforeAll(async () => void Object.assign(api, await Api.start(...options)));
  afterAll(() => api.close());
  const make = new Factories(api);
  return { api, make, forms: new FormFactories(api, make) };
}
