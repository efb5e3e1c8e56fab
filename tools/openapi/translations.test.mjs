// @ts-check
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { root } from '../workspace.mjs';
import { loadDocuments } from './documents.mjs';

/** @typedef {{ [key: string]: any }} Schema */

const LANGUAGES = ['en', 'de', 'fr', 'es', 'ar'];
const data = join(root, 'apps/console/src/data');
/** @type {Record<string, { values: Record<string, Record<string, string>>, descriptions: Record<string, string> }>} */
const catalogues = Object.fromEntries(
  LANGUAGES.map((language) => [
    language,
    JSON.parse(readFileSync(join(data, 'translations', `${language}.json`), 'utf8')),
  ]),
);
const titles = readFileSync(join(data, 'collection-titles.ts'), 'utf8');
const labels = readFileSync(join(data, 'field-labels.ts'), 'utf8');

/** Schemas whose values no view of the console shows as labels: errors, health, queries and catalogues for programs. */
const UNSHOWN = /^(problem|health_|collection_parameters|datapath|event_type|notification_explanation$)/;
/** Properties whose values are names that clients write, such as the key of a state. */
const NAMES = [
  'key',
  'state',
  'from_state',
  'code',
  'scopes',
  'api_version',
  'version',
  'root',
  'limit',
  'format',
  'rich_txt_fmt',
];
/** Matches other names that clients write, such as `STATE_CHANGE_APPLICATION` and `candidates:read`. */
const NAME = /[^a-z0-9_]/;

/** The descriptions and the names of properties that views show, and the values of closed lists by property. */
const shown = { descriptions: new Set(), properties: new Set(), values: new Set() };

before(async () => {
  const { versions, documentOf } = await loadDocuments('http://localhost:3000');
  for (const version of versions) collect(/** @type {any} */ (documentOf(version, { hasFullTexts: true })));
});

/** @param {any} document */
function collect({ paths, tags, components }) {
  const { schemas, parameters, requestBodies } = components;
  const named = (/** @type {Schema} */ all, /** @type {string} */ ref) => all[ref.slice(ref.lastIndexOf('/') + 1)];
  /** @type {(schema?: Schema) => Schema} */
  const resolve = (schema = {}) => {
    if (schema.$ref) return { ...resolve(named(schemas, schema.$ref)), ...schema };
    const parts = (schema.anyOf ?? []).filter((/** @type {Schema} */ part) => part.type !== 'null');
    return parts.length === 1 ? { ...schema, ...resolve(parts[0]) } : schema;
  };
  const describe = (/** @type {string | undefined} */ text) =>
    text && shown.descriptions.add(text.replaceAll('\n', ' '));
  /** @type {(schema: Schema) => void} */
  const nameAll = (schema) => {
    const { properties = {}, items = {} } = resolve(schema);
    for (const [name, part] of Object.entries({ ...properties, ...resolve(items).properties })) {
      if (name === 'layout_data') continue;
      shown.properties.add(name);
      nameAll(/** @type {Schema} */ (part));
    }
  };
  for (const [path, { get, parameters: own = [] }] of Object.entries(paths)) {
    const all = get && !path.includes('{') ? [...own, ...(get.parameters ?? [])] : [];
    const isCollection = all.some((one) => (one.$ref ? named(parameters, one.$ref) : one).name === 'format');
    if (!isCollection) continue;
    const [name] = get.tags;
    const patch = paths[`${path}/{id}`]?.patch?.requestBody;
    const body = patch?.$ref ? named(requestBodies, patch.$ref) : patch;
    describe(tags.find((/** @type {Schema} */ tag) => tag.name === name).description);
    nameAll(schemas[name]);
    for (const schema of [schemas[name], ...Object.values(body?.content ?? {}).map((content) => content.schema)])
      for (const [property, part] of Object.entries(resolve(schema).properties ?? {})) {
        if (property === 'layout_data') continue;
        shown.properties.add(property);
        describe(resolve(part).description);
      }
  }
  /** @type {(schema: Schema, property: string) => void} */
  const walk = (schema, property) => {
    const { enum: values = [], properties = {}, $ref: ref } = schema;
    for (const value of values)
      if (typeof value === 'string' && !NAMES.includes(property) && !NAME.test(value) && value !== '')
        shown.values.add(`${property}: ${value}`);
    for (const [name, part] of Object.entries(properties)) walk(part, name);
    for (const part of ['items', 'anyOf', 'oneOf', 'allOf'].flatMap((name) => schema[name] ?? [])) walk(part, property);
    const listed = ref && named(schemas, ref);
    if (listed?.enum ?? listed?.anyOf) walk(listed, property);
  };
  for (const [name, schema] of Object.entries(schemas))
    if (!UNSHOWN.test(name))
      for (const [property, part] of Object.entries(schema.properties ?? {})) walk(part, property);
}

for (const language of LANGUAGES.slice(1))
  test(`the console has all descriptions of collections and fields in ${language}, and no other`, () =>
    assert.deepEqual(Object.keys(catalogues[language]?.descriptions ?? {}), [...shown.descriptions].sort()));

/** True when the console takes the label from the titles of collections or from the names of languages. */
const isNamedElsewhere = (/** @type {string} */ property, /** @type {string} */ value) =>
  ['resource', 'collection'].includes(property)
    ? titles.includes(`\n  ${value}: [`)
    : property.includes('language') && LANGUAGES.includes(value);

for (const language of LANGUAGES)
  test(`the console has a label for each value of each closed list in ${language}`, () => {
    const lacking = [...shown.values].filter((text) => {
      const [property, value] = text.split(': ');
      return !isNamedElsewhere(property, value) && !catalogues[language]?.values[property]?.[value];
    });
    assert.deepEqual(lacking, []);
  });

test('the console has a label for each property', () =>
  assert.deepEqual(
    [...shown.properties].filter((name) => !labels.includes(`\n  ${name}: [`)),
    [],
  ));
