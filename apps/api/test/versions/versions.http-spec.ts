// @group split: npm test calls a quarter of the operations. It calls each of them in the oldest and the newest version,
// and before and after each change of the operation
import { writeFile } from 'node:fs/promises';
import { parseEndpoint } from '@ats/api-versioning';
import { API_PREFIX, findResource } from '@ats/domain';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { Validator } from '@seriousme/openapi-schema-validator';
import { VERSIONS } from '../../src/versions/versions.js';
import { differencesOf, type Json } from './answer-differences.js';
import { BASE_URL } from '../support/api-harness.js';
import { EveryVersion, type Outcome, type Reference, referenceOf } from './every-version.js';
import { isLong, sampleOf, testIf } from '../support/long-part.js';
import { CALLS } from '../support/openapi-calls.js';
import { expanded, type Operation, successOf } from '../support/openapi-document.js';
import { samplesOf, type Shown } from './version-samples.js';
import { useApi } from '../support/use-api.js';

/** The answers that differ between a version and the next one. */
interface Boundary {
  readonly older: string;
  readonly newer: string;
  readonly differences: readonly Difference[];
}

/**
 * A sample request whose answers differ between the two versions. `places` lists the JSON pointers at which they
 * differ.
 */
interface Difference {
  readonly operation: string;
  readonly title: string;
  readonly places: readonly string[];
}

const { VERSIONS_REPORT: report } = process.env;
const hasShortPart = !isLong || report !== undefined;
const hasLongPart = isLong || report !== undefined;

const { api } = useApi();
let references: readonly Reference[];
/** For each sample request, the outcomes of all versions. */
let outcomes: readonly (readonly Outcome[])[];
let boundaries: readonly Boundary[];

const OLDEST = VERSIONS.versions[0] ?? '';
const NEWEST = VERSIONS.versions.at(-1) ?? '';
const NEIGHBOURS = VERSIONS.versions.slice(1).map((newer, index) => ({ older: VERSIONS.versions[index] ?? '', newer }));

beforeAll(async () => {
  references = await Promise.all(VERSIONS.versions.map((version) => referenceOf(api, version)));
  const everyVersion = new EveryVersion(api, references);
  const found = [];
  for (const sample of samplesOf(allOperations(), shownBy))
    found.push(await everyVersion.outcomesOf(sample, (version) => hasLongPart || isTelling(version, sample.operation)));
  outcomes = found;
  boundaries = NEIGHBOURS.map(({ older, newer }) => ({
    older,
    newer,
    differences: outcomes.flatMap((ofSample) => differenceOf(ofSample, older, newer) ?? []),
  }));
  if (report !== undefined) await writeFile(report, JSON.stringify(boundaries));
  // The test calls every operation in every version and creates all objects that they need. This is slow on a busy
  // machine.
}, 900_000);

/** Returns all operations of all versions. Each is described by the newest version that has it. */
const allOperations = (): readonly Operation[] => [
  ...new Map(references.flatMap(({ operations }) => [...operations])).values(),
];

function shownBy(operation: Operation): Shown | undefined {
  const schema = operation.responses[successOf(operation)]?.content?.['application/json']?.schema as
    | { readonly $ref?: string; readonly items?: { readonly $ref?: string } }
    | undefined;
  const resource = (schema?.items ?? schema)?.$ref?.split('/').at(-1) ?? '';
  // An item with keys has a separate schema, whose name ends in `_with_keys`.
  const shown = findResource(resource.replace(/_with_keys$/, ''));
  return shown && { resource: shown.name, root: shown.type.name };
}

function differenceOf(ofSample: readonly Outcome[], older: string, newer: string): Difference | undefined {
  const [before, after] = [older, newer].map((version) => ofSample.find((outcome) => outcome.version === version));
  if (!before || !after) return undefined;
  const all = differencesOf(before.comparable, after.comparable);
  // When the status differs, headers and body always differ, too. Lists only the status then.
  const places = all.some((place) => place.startsWith('/status '))
    ? all.filter((place) => !/^\S* ?\/(body|headers)/.test(place))
    : all;
  return places.length > 0 ? { operation: after.sample.operation, title: after.sample.title, places } : undefined;
}

const titleOf = ({ operation, title }: { readonly operation: string; readonly title: string }): string =>
  [operation, title].filter(Boolean).join(', ');

/** Returns the operations that a version declares as changed. */
const declaredBy = (version: string): readonly string[] =>
  VERSIONS.declarations
    .find((declaration) => declaration.version === version)
    ?.changes.flatMap(({ endpoints }) => endpoints) ?? [];

function touches(endpoint: string, operation: string): boolean {
  // `POST …/query` answers like the list whose query it has as its body. So a change of the list also changes it.
  const [method = '', path = ''] = operation.replace(/^POST (.*)\/query$/, 'GET $1').split(' ');
  return parseEndpoint(endpoint)?.(method, path.replaceAll(/\{(\w+)\}/g, ':$1')) ?? false;
}

/** True when the version declares a change of this operation, other than a change of all endpoints. */
const declares = (version: string, operation: string): boolean =>
  declaredBy(version).some((endpoint) => !isBroad(endpoint) && touches(endpoint, operation));

/** The operations that `npm test` calls. `npm run test:all` calls every operation. */
const SAMPLE: ReadonlySet<string> = new Set(hasLongPart ? Object.keys(CALLS) : sampleOf(Object.keys(CALLS)));

/**
 * True for the versions in which `npm test` calls an operation of the sample: the oldest, the newest, each version that
 * declares a change of the operation, and the version before that version.
 */
const isTelling = (version: string, operation: string): boolean =>
  SAMPLE.has(operation) &&
  ([OLDEST, NEWEST].includes(version) ||
    NEIGHBOURS.some(({ older, newer }) => [older, newer].includes(version) && declares(newer, operation)));

/** True for a change that is declared for all endpoints (`* *`). Only the answers show which operations it changes. */
const isBroad = (endpoint: string): boolean => endpoint.endsWith(' *');

/**
 * Maps each version that declares a change of all endpoints to a function that is true when the change affects an
 * outcome.
 */
const AFFECTED: Readonly<Record<string, (newer: Outcome) => boolean>> = {
  // Leaves out the OpenAPI document. The messages in its examples contain such URLs, but messages are the same in every
  // version.
  '1.4': ({ sample, answer }) =>
    sample.operation !== 'GET /openapi.json' &&
    (new RegExp(`"url":"${BASE_URL}/api/v1/(vacancy|event)_applications/`).test(answer.text) ||
      /\/(vacancy|event)_applications\//.test(answer.headers['location'] ?? '')),
  '1.9': ({ sample }) => sample.title.endsWith('as HTML'),
};

const outcomeOf = (version: string): readonly Outcome[] =>
  outcomes.flatMap((ofSample) => ofSample.filter((outcome) => outcome.version === version));

describe.each(VERSIONS.versions)('the reference of %s', (version) => {
  const isAskedHere = hasLongPart || [OLDEST, NEWEST].includes(version);
  const reference = (): Reference => references.find((one) => one.version === version) as Reference;

  testIf(isAskedHere)('is valid OpenAPI 3.1, and names its version', async () => {
    const { document } = reference();
    const result = await new Validator().validate(structuredClone({ ...document }));
    expect([result.errors, result.valid]).toEqual([undefined, true]);
    expect(document).toMatchObject({ info: { version } });
  });

  testIf(hasShortPart)('links only to existing operations', () => {
    const { document, operations } = reference();
    const ids = [...operations.values()].map(({ operationId }) => operationId);
    const links = [...JSON.stringify(document).matchAll(/#operation\/([\w.]+)/g)].map(([, id]) => id);
    expect(links.filter((id) => !ids.includes(id ?? ''))).toEqual([]);
  });

  testIf(isAskedHere)('describes the answer of every operation', () => {
    const described = outcomeOf(version).filter(({ operation }) => operation);
    const expected = [...reference().operations.keys()].filter((name) => hasLongPart || isTelling(version, name));
    expect(new Set(described.map(({ sample }) => sample.operation))).toEqual(new Set(expected));
    const wrong = described.flatMap(({ sample, operation, answer, violations }) => {
      const refused = operation && answer.status !== successOf(operation) ? [`${answer.status} ${answer.text}`] : [];
      return [...refused, ...violations].map((violation) => `${titleOf(sample)}: ${violation}`);
    });
    expect(wrong).toEqual([]);
  });

  testIf(isAskedHere)('has every operation that the version serves', () => {
    const absent = outcomeOf(version).filter(({ operation }) => !operation);
    expect(absent.filter(({ answer }) => answer.status !== 404).map(({ sample }) => titleOf(sample))).toEqual([]);
  });
});

describe.each(NEIGHBOURS)('version $newer', ({ older, newer }) => {
  const differing = (): readonly Difference[] =>
    boundaries.find((boundary) => boundary.newer === newer)?.differences ?? [];

  testIf(hasLongPart)('differs from the version before only in declared operations', () => {
    const undeclared = differing().filter(
      ({ operation }) => !declaredBy(newer).some((endpoint) => touches(endpoint, operation)),
    );
    expect(undeclared.map((difference) => [titleOf(difference), ...difference.places])).toEqual([]);
  });

  test('differs from the version before in every declared operation', () => {
    const differingNames = new Set(differing().map(({ operation }) => operation));
    const narrow = declaredBy(newer).filter((endpoint) => !isBroad(endpoint));
    const unchanged = narrow.flatMap((endpoint) => {
      const declared = Object.keys(CALLS).filter((operation) => touches(endpoint, operation));
      return declared.length === 0
        ? [`${endpoint}: no operation`]
        : declared.filter((operation) => SAMPLE.has(operation) && !differingNames.has(operation));
    });
    expect(unchanged).toEqual([]);
  });

  testIf(hasLongPart)('differs in every operation with changed data when its declaration names no endpoints', () => {
    const broad = declaredBy(newer).filter(isBroad);
    if (broad.length === 0) return;
    const affected = outcomeOf(newer)
      .filter((outcome) => AFFECTED[newer]?.(outcome))
      .map(({ sample }) => titleOf(sample));
    expect(affected.length).toBeGreaterThan(0);
    const others = differing().filter(
      ({ operation }) => !declaredBy(newer).some((endpoint) => !isBroad(endpoint) && touches(endpoint, operation)),
    );
    expect(affected.filter((title) => !differing().map(titleOf).includes(title))).toEqual([]);
    expect(others.map(titleOf).filter((title) => !affected.includes(title))).toEqual([]);
  });

  testIf(hasShortPart)('differs in the API reference of exactly the declared operations', () => {
    const [before, after] = [older, newer].map(
      (version) => references.find((reference) => reference.version === version) as Reference,
    );
    const names = [...new Set([...(before?.operations.keys() ?? []), ...(after?.operations.keys() ?? [])])].filter(
      (name) => name.includes(` ${API_PREFIX}`),
    );
    const changed = names.filter((name) => described(before, name) !== described(after, name));
    const narrow = declaredBy(newer).filter((endpoint) => !isBroad(endpoint));
    const isDeclared =
      (endpoints: readonly string[]) =>
      (name: string): boolean =>
        endpoints.some((endpoint) => touches(endpoint, name));
    expect(changed.filter((name) => !isDeclared(declaredBy(newer))(name))).toEqual([]);
    expect(names.filter(isDeclared(narrow)).filter((name) => !changed.includes(name))).toEqual([]);
  });
});

/**
 * Maps a reference and the name of an operation to the text of the operation. Each text is used twice: it is compared
 * with the version before and with the version after.
 */
const texts = new Map<Reference | undefined, Map<string, string>>();

/** Returns the operation and its schemas as text, without the example that contains the version. */
function described(reference: Reference | undefined, name: string): string {
  const ofReference = texts.get(reference) ?? new Map<string, string>();
  texts.set(reference, ofReference);
  const known = ofReference.get(name) ?? textOf(reference, name);
  ofReference.set(name, known);
  return known;
}

function textOf(reference: Reference | undefined, name: string): string {
  const { document, operations } = reference as Reference;
  const { parameters = [], requestBody, responses, ...operation } = operations.get(name) ?? {};
  const whole = { ...operation, parameters, ...expanded(document, { requestBody, responses }) };
  return JSON.stringify(whole, (key, value: Json) =>
    key === 'example' && value === reference?.version ? undefined : value,
  );
}
