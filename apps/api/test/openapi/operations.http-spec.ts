// @group sample: npm test runs a quarter of its tests
// @group split: npm test sends valid calls to one operation in eight, and each kind of refused call to one in sixteen
import { beforeAll, describe, expect, test } from '@jest/globals';
import { type Item } from '../support/answer.js';
import { type RequestOptions } from '../support/api-harness.js';
import { below } from '../support/factories.js';
import { isRead } from '../support/collection-calls.js';
import { CALLS, type Call, NEEDS_NO_SCOPE } from '../support/openapi-calls.js';
import { type AnswerChecker, closed, openDocument } from '../support/answer-checker.js';
import {
  eachOperation,
  bodyOf,
  expanded,
  isPublic,
  type OpenApiDocument,
  type Operation,
  type Schema,
  successOf,
} from '../support/openapi-document.js';
import { sampleOf } from '../support/long-part.js';
import { senders } from '../support/send-operation.js';
import { useApi } from '../support/use-api.js';

const { api, make } = useApi();
let document: OpenApiDocument;
let operations: readonly Operation[];
let checker: AnswerChecker;
let scopeless: string;

beforeAll(async () => {
  ({ document, operations, checker, scopeless } = await openDocument(api, make));
});

const { callOf, send } = senders(api, make);

/** Keywords that are either in `GET /schemas/{resource}` or in the OpenAPI document, but not in both. */
const DETAILS = [
  'examples',
  'x-datapath',
  'x-elements',
  'x-error-codes',
  'x-filterable',
  'x-labels',
  'x-relations',
  'x-sortable',
];
/** Descriptions do not count, because the document refers from a repeated description to the first one. */
const isDetail = (key: string, value: unknown): boolean =>
  DETAILS.includes(key) || (key === 'description' && typeof value === 'string');
const withoutDetails = <Whole extends object>(schema: Whole): Whole =>
  JSON.parse(JSON.stringify(schema, (key, value: unknown) => (isDetail(key, value) ? undefined : value))) as Whole;

const kept = new Map<string, Call>();
/** Returns the call of an operation, always the same one. Use it only for requests that change nothing. */
async function keptCallOf(operation: Operation): Promise<Call> {
  const call = kept.get(operation.name) ?? (await callOf(operation));
  kept.set(operation.name, call);
  return call;
}

describe('every operation', () => {
  test('has a test call in the table CALLS, which has no unknown operation', () => {
    const names = operations.map(({ name }) => name);
    expect({
      notCalled: names.filter((name) => !CALLS[name]),
      unknown: Object.keys(CALLS).filter((name) => !names.includes(name)),
    }).toEqual({ notCalled: [], unknown: [] });
  });

  test('answers a valid call with the documented status, headers and body', async () => {
    const violations = await eachOperation(
      sampleOf(operations, 8),
      () => true,
      async (operation) => {
        const answer = await send(operation, await callOf(operation));
        const found = checker.violationsOf(operation, answer);
        return answer.status === successOf(operation) ? found : [`${answer.status} ${answer.text}`, ...found];
      },
    );
    expect(violations).toEqual([]);
    // There are hundreds of operations, and each creates its own data. This takes long on a busy machine.
  }, 400_000);

  test('answers 304 to If-None-Match with the current ETag', async () => {
    const violations = await eachOperation(
      sampleOf(operations),
      ({ responses }) => '304' in responses,
      async (operation) => {
        const call = await keptCallOf(operation);
        const { etag } = await send(operation, call);
        const answer = await send(operation, call, { headers: { 'if-none-match': etag } });
        return answer.status === 304 ? checker.violationsOf(operation, answer) : [`${answer.status} instead of 304`];
      },
    );
    expect(violations).toEqual([]);
  });

  interface Refusal {
    readonly status: number;
    readonly title: string;
    /**
     * Returns true for operations that must reject the request of this case. It does not use the error answers in the
     * document, because the test checks those.
     */
    readonly applies: (operation: Operation) => boolean;
    readonly request: (call: Call) => readonly [Call, RequestOptions];
  }

  const needsCredential = (operation: Operation): boolean => !isPublic(operation);
  const needsScope = (operation: Operation): boolean =>
    needsCredential(operation) && !NEEDS_NO_SCOPE.test(operation.path);
  const isWrite = ({ method }: Operation): boolean => ['PUT', 'PATCH', 'DELETE'].includes(method);
  /** True for an operation that takes a file. The tests of documents cover these operations. */
  const takesFile = (operation: Operation): boolean => bodyOf(operation)?.type === 'application/octet-stream';
  const hasBody = (operation: Operation): boolean => operation.requestBody !== undefined && !takesFile(operation);
  /** True for an operation with a signed link. Its signature is valid for one id only. */
  const isSigned = ({ parameters }: Operation): boolean => parameters.some(({ name }) => name === 'signature');
  const noIds = ({ path = {} }: Call): Call => ({
    path: Object.fromEntries(Object.keys(path).map((name) => [name, '999999999'])),
  });
  const tooLarge = `{"a":"${'x'.repeat(1024 * 1024)}"}`;
  const otherType = { payload: 'a=1', headers: { 'content-type': 'text/plain' } };

  const REFUSALS: readonly Refusal[] = [
    {
      status: 400,
      title: 'an unknown parameter',
      applies: needsCredential,
      request: (call) => [{ ...call, query: 'serach=x' }, {}],
    },
    {
      status: 400,
      title: 'an unknown parameter in the body',
      applies: ({ name, requestBody }) => isRead(name) && requestBody !== undefined,
      request: (call) => [{ ...call, body: { ...call.body, serach: 'x' } }, {}],
    },
    {
      status: 401,
      title: 'a request without credentials',
      applies: needsCredential,
      request: (call) => [call, { token: null }],
    },
    {
      status: 403,
      title: 'a credential without scopes',
      applies: needsScope,
      request: (call) => [call, { token: scopeless }],
    },
    {
      status: 404,
      title: 'unknown ids',
      applies: (operation) => operation.path.includes('{') && !isSigned(operation),
      request: (call) => [{ ...call, ...noIds(call) }, {}],
    },
    {
      status: 406,
      title: 'an unsupported language',
      applies: needsCredential,
      request: (call) => [call, { headers: { 'accept-language': 'tlh' } }],
    },
    {
      status: 411,
      title: 'a request without a length',
      applies: ({ method }) => method === 'PUT',
      request: ({ path = {} }) => [{ path }, { payload: '' }],
    },
    {
      status: 412,
      title: 'an outdated ETag',
      applies: isWrite,
      request: (call) => [call, { headers: { 'if-match': '"stale"' } }],
    },
    {
      status: 413,
      title: 'a body that is too large',
      applies: hasBody,
      request: ({ path = {} }) => [{ path }, { payload: tooLarge }],
    },
    {
      status: 415,
      title: 'a body of another type',
      applies: hasBody,
      request: ({ path = {} }) => [{ path }, otherType],
    },
    {
      status: 422,
      title: 'an unknown property',
      applies: (operation) => needsCredential(operation) && !isRead(operation.name) && !takesFile(operation),
      request: (call) => [{ ...call, body: { ...call.body, unknown: 1 } }, {}],
    },
  ];

  test.each(REFUSALS)('answers $status to $title as documented', async ({ status, applies, request }) => {
    expect(operations.some(applies)).toBe(true);
    const violations = await eachOperation(sampleOf(operations.filter(applies), 16), applies, async (operation) => {
      const [call, options] = request(await keptCallOf(operation));
      const answer = await send(operation, call, options);
      return answer.status === status
        ? checker.violationsOf(operation, answer)
        : [`${answer.status} instead of ${status}: ${answer.text}`];
    });
    expect(violations).toEqual([]);
  });
});

describe('GET /schemas', () => {
  /** Maps a resource whose collections are below items of another resource to a function that creates an item. */
  const BELOW: Readonly<Record<string, () => Promise<Item>>> = {
    notification_subscriptions: () => make.subscription(),
    notification_deliveries: () => make.ping(),
    notification_redeliveries: () => make.redelivery(),
  };
  const collectionOf = async (resource: string): Promise<string> => {
    const item = await BELOW[resource]?.();
    return item ? below(item.url).replace(/\/\d+$/, '') : `/${resource}`;
  };

  /** Creates items in which all references are set, as far as requests can set them. */
  async function fill(): Promise<void> {
    for (const name of [
      'GET /api/v1/applications',
      'GET /api/v1/event_applications',
      'GET /api/v1/candidates',
      'GET /api/v1/recruiters',
    ])
      await CALLS[name]?.(make, {});
    await make.posting();
  }

  /** Lists properties that the schema lacks, and required properties that the item lacks, at any depth. */
  function differences(schema: Schema, value: unknown, pointer: string): string[] {
    if (value === null || value === undefined) return [];
    if (Array.isArray(value))
      return value.flatMap((element) => differences(schema.items ?? {}, element, `${pointer}/*`));
    if (typeof value !== 'object') return [];
    const [described, found] = [Object.keys(schema.properties ?? {}), Object.keys(value)];
    const both = new Set([...described, ...found]);
    return [...both].flatMap((name) => {
      if (!described.includes(name)) return [`${pointer}/${name} is not in the schema`];
      if (!found.includes(name))
        return schema.required?.includes(name) ? [`${pointer}/${name} is not in the item`] : [];
      return differences(
        schema.properties?.[name] ?? {},
        (value as Record<string, unknown>)[name],
        `${pointer}/${name}`,
      );
    });
  }

  const schemaOf = async (resource: string): Promise<Schema> => (await api.get(`/schemas/${resource}`)).json as Schema;
  const resources = async (): Promise<readonly string[]> =>
    ((await api.get('/schemas')).json as readonly { readonly resource: string }[])
      .map(({ resource }) => resource)
      .filter((resource) => resource !== 'history');

  test('has exactly the fields of real items, and equals the schema in the OpenAPI document', async () => {
    await fill();
    for (const resource of await resources()) {
      const { $schema, title, ...whole } = (await schemaOf(resource)) as Schema & Readonly<Record<string, unknown>>;
      const schema = withoutDetails(whole);
      const shown = withoutDetails(closed(expanded(document, document.components.schemas[resource])));
      expect([resource, title]).toEqual([resource, resource]);
      expect([resource, $schema]).toEqual([resource, 'https://json-schema.org/draft/2020-12/schema']);
      expect([resource, shown]).toEqual([resource, schema]);
      const { items } = await api.get(`${await collectionOf(resource)}?per_page=1000`);
      expect([resource, items.length > 0]).toEqual([resource, true]);
      expect([
        resource,
        ...items.flatMap((item) => [...differences(schema, item, ''), ...checker.violationsOfValue(schema, item)]),
      ]).toEqual([resource]);
    }
  });
});
