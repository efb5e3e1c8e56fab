import { type Answer } from './answer.js';
import { type Api, type RequestOptions } from './api-harness.js';
import { encoded } from './encoded-body.js';
import { type Factories } from './factories.js';
import { addressOf, CALLS, type Call } from './openapi-calls.js';
import { bodyOf, isPublic, type Operation } from './openapi-document.js';

export interface Senders {
  /** Makes a valid call of an operation. No other call uses the items that it creates. */
  readonly callOf: (operation: Operation) => Promise<Call>;
  readonly send: (operation: Operation, call: Call, options?: RequestOptions) => Promise<Answer>;
}

/** Functions that call the operations of the OpenAPI document. */
export const senders = (api: Api, make: Factories): Senders => ({
  callOf: async (operation) => (await CALLS[operation.name]?.(make, bodyOf(operation)?.example ?? {})) ?? {},
  send: (operation, call, options = {}) => {
    // A test may send a body to an operation without a body. The body is then sent as JSON.
    const sent = call.body ? encoded(call.body, bodyOf(operation)?.type ?? 'application/json') : {};
    return api.request(operation.method, addressOf(operation.path, call), {
      ...(isPublic(operation) && { token: null }),
      ...sent,
      ...options,
    });
  },
});
