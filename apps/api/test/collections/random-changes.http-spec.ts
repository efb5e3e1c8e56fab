// @group split: npm test changes a quarter of the kinds of items, and each only twice
import { beforeAll, expect, test } from '@jest/globals';
import { LANGUAGES } from '@ats/domain';
import * as fc from 'fast-check';
import { type Answer, type Item } from '../support/answer.js';
import { type Changeable, changeables, readBack } from '../support/changeable-items.js';
import { changeableProperties, changedValue } from '../support/changed-values.js';
import { type Body } from '../support/collection-calls.js';
import { below, expectStatus } from '../support/factories.js';
import { isLong, sampleOf } from '../support/long-part.js';
import { openDocument } from '../support/answer-checker.js';
import { useApi } from '../support/use-api.js';

const { api, make } = useApi();
let kinds: readonly Changeable[];

beforeAll(async () => {
  const { document } = await openDocument(api, make);
  kinds = changeables(document, api, make).filter(({ hasPut }) => hasPut);
});

/**
 * The kinds of values that a random change gives to a property: its present value, another valid value, null, or an
 * invalid value.
 */
const CHOICES = ['kept', 'kept', 'other', 'other', 'null', 'invalid'] as const;
type Choice = (typeof CHOICES)[number];

const isObject = (value: unknown): value is Body =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns the merge patch (RFC 7396) that changes one document into the other. */
function mergePatchBetween(from: Body, to: Body): Body {
  const patch: Record<string, unknown> = {};
  for (const name of Object.keys({ ...from, ...to })) {
    const [old, wanted] = [from[name], to[name]];
    if (JSON.stringify(old) === JSON.stringify(wanted)) continue;
    patch[name] = isObject(old) && isObject(wanted) ? mergePatchBetween(old, wanted) : (wanted ?? null);
  }
  return patch;
}

/** Applies a merge patch as RFC 7396 describes. */
function merged(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  const result: Record<string, unknown> = isObject(target) ? { ...target } : {};
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete result[name];
    else result[name] = merged(result[name], value);
  }
  return result;
}

async function representation(kind: Changeable, item: Item, choices: Readonly<Record<string, Choice>>): Promise<Body> {
  const wanted: Record<string, unknown> = { ...item };
  for (const [name, choice] of Object.entries(choices)) {
    if (choice === 'other') wanted[name] = await changedValue(make, kind, name, item);
    // Never sets the id of a reference to null. A representation shows a reference as an object, and never has an id
    // that is null.
    if (choice === 'null' && name in item && !name.endsWith('_id')) wanted[name] = null;
    if (choice === 'invalid') wanted[name] = { nested: [1] };
  }
  return wanted;
}

const send = (method: 'PUT' | 'PATCH', { url }: Item, body: unknown): Promise<Answer> =>
  api.request(method, `/api/v1${below(url)}`, { body });

/** Returns everything that GET shows of an item, in each language and as HTML, without ids, times and unique texts. */
async function contentOf(item: Item): Promise<string> {
  const texts = await Promise.all(
    LANGUAGES.map(async (language) => {
      const path = `${below(item.url)}${item.url.includes('subscriptions') ? '' : '?rich_txt_fmt=html'}`;
      return expectStatus(200, await api.get(path, { headers: { 'accept-language': language } })).text;
    }),
  );
  return texts
    .join('\n')
    .replaceAll(/"((?:\w+_)?id|uuid|url|\w+_dt|reference|email|code|\w*signing_key|\w+_secret)":("[^"]*"|\d+)/g, '"$1"')
    .replaceAll(/"(\w+_ids)":\[\d+\]/g, '"$1"')
    .replaceAll(/example-\d+|unique-\d+|person\d+|recruiter\d+/g, 'unique');
}

const violationsOf = (answer: Answer): string =>
  answer.status === 200 ? '' : `${answer.status} ${[...answer.violations].sort().join(' ')}`;

test('PATCH with a merge patch and PUT of the merged document have the same result', async () => {
  for (const kind of sampleOf(kinds)) {
    const names = changeableProperties(kind);
    const choices = fc.record(Object.fromEntries(names.map((name) => [name, fc.constantFrom(...CHOICES)])));
    const sound = fc.record(Object.fromEntries(names.map((name) => [name, fc.constantFrom('kept', 'other', 'null')])));
    await fc.assert(
      fc.asyncProperty(sound, choices, async (first, second) => {
        const items = [await kind.make(), await kind.make()] as const;
        // Gives the same first values to both items, if the API accepts these values.
        for (const item of items) await send('PUT', item, await representation(kind, item, first));
        const [left, right] = [await readBack(api, items[0]), await readBack(api, items[1])];
        const patchOf = async (item: Item): Promise<Body> =>
          mergePatchBetween(item, await representation(kind, item, second));
        const patched = await send('PATCH', left, await patchOf(left));
        const replaced = await send('PUT', right, merged(right, await patchOf(right)));
        expect([kind.path, violationsOf(patched)]).toEqual([kind.path, violationsOf(replaced)]);
        expect(await contentOf(left)).toEqual(await contentOf(right));
      }),
      { numRuns: isLong ? 20 : 2 },
    );
  }
}, 600_000);
