// @group long: sends invalid requests to every operation in every language
import { beforeAll, describe, expect, test } from '@jest/globals';
import { type Language } from '@ats/domain';
import { type Answer } from '../support/answer.js';
import { type RequestOptions } from '../support/api-harness.js';
import { inParallel } from '../support/in-parallel.js';
import { addressOf, type Call, CALLS } from '../support/openapi-calls.js';
import { bodyOf, type OpenApiDocument, type Operation, operationsOf } from '../support/openapi-document.js';
import { codesOf, englishIn, speaking, TRANSLATED } from '../support/translations.js';
import { useApi } from '../support/use-api.js';

const { api, make } = useApi();
let operations: readonly Operation[];

beforeAll(async () => {
  operations = operationsOf((await api.request('GET', '/openapi.json')).json as OpenApiDocument).filter(({ path }) =>
    path.startsWith('/api/v1/'),
  );
});

const JUNK: readonly unknown[] = [
  null,
  '',
  'x',
  'a\u0000b',
  'x'.repeat(5_000),
  -1,
  1e300,
  [null, 1.5, 'x', 'x'],
  { nested: [1] },
];

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Replaces each value that is not an object or array by `junk`. With `depth` 1, it replaces the whole value of each
 * property, even an object.
 */
function withJunk(value: unknown, junk: unknown, depth = Infinity): unknown {
  if (depth > 0 && Array.isArray(value)) return value.map((one) => withJunk(one, junk, depth));
  if (depth > 0 && isObject(value))
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, withJunk(one, junk, depth - 1)]));
  return junk;
}

interface Asked {
  readonly operation: Operation;
  readonly address: string;
  readonly options: RequestOptions;
  readonly language: Language;
}

/** True when both answers have the same violations, each in its own language. */
const isAlike = (english: Answer, translated: Answer, language: Language): boolean =>
  translated.status === english.status &&
  translated.headers['content-language'] === language &&
  JSON.stringify(codesOf(english.problem)) === JSON.stringify(codesOf(translated.problem));

/**
 * Finds English texts in the answer to a request in another language.
 * @returns an empty list for a valid request; undefined when the violations differ from those in English
 */
async function englishOf({
  operation: { method, name },
  address,
  options,
  language,
}: Asked): Promise<readonly string[] | undefined> {
  const ask = (inLanguage: Language): Promise<Answer> =>
    api.request(method, address, { ...options, headers: { ...options.headers, ...speaking(inLanguage) } });
  const english = await ask('en');
  if (english.status < 400) return [];
  const translated = await ask(language);
  if (!isAlike(english, translated, language)) return undefined;
  return englishIn(english.problem, translated.problem).map((text) => `${name} ${language}: ${text}`);
}

const calls = new Map<string, Call>();
/** Returns a valid call of the operation, always the same one. */
async function callOf(operation: Operation): Promise<Call> {
  const call =
    calls.get(operation.name) ?? (await CALLS[operation.name]?.(make, bodyOf(operation)?.example ?? {})) ?? {};
  calls.set(operation.name, call);
  return call;
}

const AT_ONCE = 6;

type Variant = readonly [path: string, options: RequestOptions];

/** Sends the variants of a valid call of each operation, in English and in another language. */
async function eachOperation(
  applies: (operation: Operation) => boolean,
  variants: (operation: Operation, address: string, body: unknown) => readonly Variant[],
): Promise<readonly string[]> {
  const found = new Set<string>();
  const doubtful: Asked[] = [];
  const applying = [...operations.filter(applies).entries()];
  await inParallel(applying, AT_ONCE, async ([index, operation]) => {
    const call = await callOf(operation);
    for (const [turn, [address, options]] of variants(
      operation,
      addressOf(operation.path, call),
      call.body,
    ).entries()) {
      const asked = { operation, address, options, language: TRANSLATED[(index + turn) % TRANSLATED.length] ?? 'de' };
      const texts = await englishOf(asked);
      if (!texts) doubtful.push(asked);
      for (const text of texts ?? []) found.add(text);
    }
  });
  // A concurrent write may have changed data between the English request and the other one. So both are sent again
  // without concurrent requests.
  for (const asked of doubtful) {
    for (const text of (await englishOf(asked)) ?? [
      `${asked.operation.name} ${asked.language}: another answer than in English at ${asked.address}`,
    ])
      found.add(text);
  }
  return [...found];
}

const withoutQuery = (address: string): string => address.split('?')[0] ?? '';

describe('answers in other languages', () => {
  test('contain no English text about invalid bodies', async () => {
    const found = await eachOperation(
      (operation) => bodyOf(operation)?.type === 'application/json',
      (_, address, body) =>
        [
          ...JUNK.flatMap((junk) => [withJunk(body, junk), withJunk(body, junk, 1)]),
          {},
          { ...(body as object), bogus: 1 },
        ].map((one) => [address, { body: one }]),
    );
    expect(found).toEqual([]);
  }, 300_000);

  test('contain no English text about invalid queries', async () => {
    const texts = [
      '',
      'x',
      '-1',
      '1e3',
      '999999999',
      'a%00b',
      '%ff',
      'id=x',
      'user.nothing=1',
      '/nothing=x',
      'id{1,2',
      'tags!asc',
      'id!up',
      'x'.repeat(5_000),
    ];
    const found = await eachOperation(
      ({ method }) => method === 'GET',
      ({ parameters }, address) => {
        const names = ['bogus', ...parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name)];
        const queries = [
          ...texts.map((text) => names.map((name) => `${name}=${text}`)),
          names.flatMap((name) => [`${name}=1`, `${name}=1`]),
        ];
        return [withoutQuery(address), ...queries.map((query) => `${withoutQuery(address)}?${query.join('&')}`)].map(
          (path) => [path, {}],
        );
      },
    );
    expect(found).toEqual([]);
  }, 300_000);

  test('contain no English text about other invalid requests', async () => {
    const [scopeless, reader] = [await make.scopelessToken(), await make.token('*:read')];
    const nowhere = (address: string, id: string): string => address.replaceAll(/\/\d+/g, `/${id}`);
    const found = await eachOperation(
      () => true,
      (_, address, body) => [
        [address, { token: null }],
        [address, { token: scopeless, body }],
        [address, { token: reader, body }],
        [nowhere(address, '999999999'), { body }],
        [nowhere(address, 'x'), { body }],
        [`${withoutQuery(address)}?bogus=1`, { body }],
        [address, { payload: '{' }],
        [address, { payload: '{}', headers: { 'content-type': 'text/plain' } }],
        [address, { body, headers: { 'api-version': '2.0' } }],
        [address, { body, headers: { 'if-match': '"x"' } }],
      ],
    );
    expect(found).toEqual([]);
  }, 300_000);
});
