import { type ActivationMail, activationMailsOf, activationTokenOf } from '../support/activation-token.js';
import { type Answer, type Item } from '../support/answer.js';
import { type RequestOptions, type Api } from '../support/api-harness.js';
import { expectStatus } from '../support/factories.js';

export const at = (version: string): RequestOptions => ({ headers: { 'api-version': version } });
export const NO_LONGER_VALID = 'the token is not valid: it was used or withdrawn, has expired, or never existed';
export const BELOW = ['1.2', '1.6', '1.7'];
export const FROM = ['1.8', '1.9'];

let serial = 0;
export const person = (): Readonly<Record<string, string>> => ({
  firstname: 'Ada',
  lastname: 'Byron',
  email: `ada.${++serial}@example.org`,
});
export const create = async (api: Api, version = '1.7'): Promise<Item> =>
  expectStatus(201, await api.post('/candidates', person(), at(version))).item;

export const mailsOf = (api: Api, candidate: Pick<Item, 'id'>): Promise<ActivationMail[]> =>
  activationMailsOf(api.database, candidate);
export const tokenOf = (api: Api, candidate: Pick<Item, 'id'>): Promise<string> =>
  activationTokenOf(api.database, candidate);
export const activate = (api: Api, token: unknown, options: RequestOptions = at('1.7')): Promise<Answer> =>
  api.post('/candidates/activate', { token }, options);
export const statusOf = async (api: Api, { id }: Pick<Item, 'id'>): Promise<unknown> =>
  (await api.get(`/candidates/${id}`)).item['status'];
export const historyOf = async (api: Api, { id }: Pick<Item, 'id'>): Promise<readonly Item[]> =>
  ((await api.get(`/candidates/${id}/history`)).json as { items: readonly Item[] }).items;
