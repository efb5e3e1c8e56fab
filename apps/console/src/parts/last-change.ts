import { SERVICE_URL } from '../app/base.js';
import { api, lastChange } from '../app/session.js';
import { type Call } from './call-samples.js';
import { callOf, masked, type Operations } from './sent-call.js';

/** Returns the call of the last change that the console sent. Secrets are masked. Undefined before the first change. */
export async function readLastChange(): Promise<Call | undefined> {
  const request = lastChange()?.clone();
  if (!request) return undefined;
  const { data } = await api().get({ url: '/openapi.json', throwOnError: true });
  const text = await request.text();
  const match = request.headers.get('if-match');
  return {
    ...callOf(data as Operations, request.method as Call['method'], request.url.slice(SERVICE_URL.length)),
    ...(match !== null && { headers: { 'If-Match': match } }),
    ...(text !== '' && { body: JSON.parse(text, masked) as unknown }),
  };
}
