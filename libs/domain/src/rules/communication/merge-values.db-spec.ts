import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Dice, drawSeed } from '../../../test/dice.js';
import { makeRandomObjects, type RandomObjects } from '../../../test/random-objects.js';
import { keysOf, valuesAt } from '../../../test/random-queries.js';
import { application } from '../../objects/application.model.js';
import { type RunQuery } from '../../reading/run-query.js';
import { LANGUAGES } from '../../vocabulary/languages.js';
import { attributeAt } from '../../objects/attribute-at.js';
import { type MemoryContext, type ObjectData } from '../../vocabulary/attribute-options.js';
import { readMergeValues } from './merge-values.js';
import { type MessageTemplate, readTemplate } from './read-template.js';
import { renderMessage } from './render-message.js';

/** Set `MERGE_SEED` to repeat a failed run. */
const seed = drawSeed('MERGE_SEED');
const PLACEHOLDERS = 12;

let objects: RandomObjects;
let run: RunQuery;

beforeAll(async () => {
  objects = await makeRandomObjects(seed);
  run = async (text, parameters) => (await objects.client.query<Record<string, unknown>>(text, [...parameters])).rows;
});
afterAll(() => objects.close());

/** All datapaths that placeholders can name, through at most three relations. Each begins with its root. */
const datapaths = (): readonly string[] => [
  ...new Set(
    keysOf(application, 3)
      .filter(({ text }) => !text.startsWith('/'))
      .map(({ datapath }) => `${application.name}.${datapath}`),
  ),
];

async function templateOf(placeholders: readonly string[]): Promise<MessageTemplate> {
  const read = await readTemplate(run, {
    subject: '',
    body: placeholders.map((datapath) => `{{ ${datapath} }}`).join('<br />'),
  });
  if ('violations' in read) throw new Error(read.violations.map(({ info }) => info).join('\n'));
  return read;
}

/** Computes the expected text of a placeholder from the attributes in memory. */
function expectedText(object: ObjectData, { value }: { readonly value: string }, context: MemoryContext): string {
  const { attribute } = attributeAt(application, value);
  const texts = valuesAt(application, object, value, context).map((one) => {
    if (one === null || one === undefined) return null;
    return attribute.type === 'datetime'
      ? new Date(one as string).toISOString()
      : typeof one === 'string'
        ? one
        : JSON.stringify(one);
  });
  return texts.filter((text) => text !== null).join(', ');
}

it('every datapath can be a placeholder and gives the same text in SQL and in memory', async () => {
  const dice = new Dice(seed);
  const language = dice.one(LANGUAGES);
  const settings = { baseUrl: 'https://ats.example.com', language };
  const context = { ...settings, defaultLanguage: 'en', now: objects.now, timeZone: 'UTC' };
  const all = datapaths();
  expect(all.length).toBeGreaterThan(100);
  for (let from = 0; from < all.length; from += PLACEHOLDERS) {
    const template = await templateOf(all.slice(from, from + PLACEHOLDERS));
    const object = dice.one(objects.graph.all(application.name));
    const values = await readMergeValues(run, Number(object['id']), template.columns, settings);
    for (const [datapath, column] of template.columns) {
      const what = [`MERGE_SEED=${seed}`, language, object['id'], datapath];
      expect([what, values?.get(datapath)?.plain ?? '']).toEqual([what, expectedText(object, column, context)]);
    }
    const message = renderMessage(template, values ?? new Map());
    expect(message).toMatchObject({ subject: '', body: { html: expect.any(String) } });
  }
});

it('readMergeValues returns null for an application that does not exist', async () => {
  expect(
    await readMergeValues(run, 999_999_999, (await templateOf(['application.id'])).columns, {
      baseUrl: 'https://ats.example.com',
      language: 'en',
    }),
  ).toBeNull();
});
