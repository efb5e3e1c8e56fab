import { isDeepStrictEqual } from 'node:util';
import { type Adaptation } from '@ats/api-versioning';
import { LAYOUT_DATA, type Resource, shownPlaces, type Violation, type WriteBody } from '@ats/domain';
import { type z } from 'zod';
import { type CheckedBody, checkBody, isGiven, pointerTo } from '../request/body.js';
import { isJsonObject, type JsonObject, memberOf, patchedItem } from '../vocabulary/merge-patch.js';
import { type AnswerSettings } from '../versions/api-version.js';
import { shapeOf, withoutReadOnly } from './read-only-properties.js';
import { checkChanges } from './unchanged-values.js';

/** A request that changes an item. The body has the form of the version that the client uses. */
export interface ItemChange {
  /** The whole item for PUT, a merge patch for PATCH. */
  readonly body: unknown;
  readonly isPatch: boolean;
  /** The conversions between the version of the request and the newest version. */
  readonly adaptation?: Adaptation<AnswerSettings> | undefined;
  readonly settings: AnswerSettings;
}

/** The rules for the bodies of an item. */
export interface ItemRules {
  readonly type: Resource['type'];
  readonly schema: z.ZodType<WriteBody>;
  /** Alternatives: maps the name of a property to the name of another property that bodies may have instead. */
  readonly alternatives?: Readonly<Record<string, string>>;
}

/** The item before the change. */
export interface PresentItem {
  /** The representation in the newest version, as JSON text. */
  readonly text: string;
  /**
   * True when the client may read the item. Otherwise the violations must not depend on properties of the item that
   * bodies cannot have.
   */
  readonly isReadable: boolean;
}

/**
 * A valid body, or all violations of the schema. `given` is the unchecked body, for the checks that need the database.
 */
export type ItemBody = CheckedBody<WriteBody> & { readonly given: unknown };

/**
 * Returns the whole body that a PUT or PATCH asks for, in the newest version. PATCH is a PUT of the present
 * representation with the patch. Read-only properties that the body repeats unchanged are left out.
 * @param present  reads the item and locks it. It is not called for a PUT that needs no present values
 * Source: docs/reference/resources.md, "Bodies".
 */
export async function itemBody(
  change: ItemChange,
  rules: ItemRules,
  present: () => Promise<PresentItem>,
): Promise<ItemBody> {
  const { adaptation, isPatch } = change;
  const newest = (document: unknown): unknown => adaptation?.requestBody?.(document) ?? document;
  if (!isPatch && !adaptation?.answerBody) {
    const given = newest(change.body);
    const checked = checkBody(rules.schema, given);
    if (!checked.violations || !isJsonObject(given)) return { ...checked, given };
  }
  const now = shownItem(change, rules, await present());
  const wanted = newest(isPatch ? patchedItem(now.shown, change.body) : change.body);
  if (!isJsonObject(wanted)) return { ...checkBody(rules.schema, wanted), given: wanted };
  const { body, violations } = writable(rules, wanted, now);
  const given = withoutAlternatives(rules, body, change);
  const checked = checkChanges(rules.schema, given, now.newest);
  const all = [...(checked.violations ?? []), ...violations];
  return all.length > 0 ? { violations: all, given } : { ...checked, given };
}

interface ShownItem {
  /** The representation of the item in the version of the request. */
  readonly shown: JsonObject;
  /** The representation of the item in the newest version. */
  readonly newest: JsonObject;
}

/**
 * Returns the representations with which the body is compared. For a client that cannot read the item, they have only
 * properties that bodies may have.
 */
function shownItem({ adaptation, settings }: ItemChange, rules: ItemRules, present: PresentItem): ShownItem {
  const newest = JSON.parse(present.text) as JsonObject;
  const older = adaptation?.answerBody?.(present.text, settings);
  const shown = older === undefined ? newest : (JSON.parse(older) as JsonObject);
  if (present.isReadable) return { shown, newest };
  const own = (document: JsonObject): JsonObject =>
    writable(rules, document, { shown: document, newest: document }).body;
  return { shown: own(shown), newest: own(newest) };
}

interface Writable {
  readonly body: JsonObject;
  readonly violations: readonly Violation[];
}

/**
 * Splits a body into the part that may be written, in the newest version, and the violations of changed read-only
 * properties.
 */
function writable({ type, schema }: ItemRules, wanted: JsonObject, { shown, newest }: ShownItem): Writable {
  const places = shownPlaces(type);
  const names = new Map([...places].map(([name, place]) => [pointerTo(place), name]));
  const { value, violations } = withoutReadOnly(schema, wanted, {
    // `layout_data` is not compared, because its values depend on the layout that the client read with.
    present: [{ ...shown, [LAYOUT_DATA]: wanted[LAYOUT_DATA] }],
    hintOf: (path) => names.get(pointerTo(path)) ?? '',
  });
  const body: Record<string, unknown> = { ...(value as JsonObject) };
  for (const [name, place] of places) {
    const [first = ''] = place;
    if (body[name] === undefined && Object.hasOwn(wanted, first) && Object.hasOwn(shown, first))
      body[name] = place.reduce<unknown>((at, step) => (isJsonObject(at) ? memberOf(at, step) : null), newest);
  }
  if (shown !== newest) Object.assign(body, unchangedValues(schema, wanted, { shown, newest }));
  return { body, violations };
}

/**
 * Returns, in the form of the newest version, the unchanged values to which an older version gives another form.
 * Converting the older form back could lose a part of the value.
 */
function unchangedValues(schema: z.ZodType, wanted: JsonObject, { shown, newest }: ShownItem): JsonObject {
  const { value } = withoutReadOnly(schema, newest, { present: [newest], hintOf: () => '' });
  return Object.fromEntries(
    Object.entries(value as JsonObject).filter(
      ([name]) =>
        Object.hasOwn(shapeOf(schema), name) &&
        isDeepStrictEqual(wanted[name], shown[name]) &&
        !isDeepStrictEqual(shown[name], newest[name]),
    ),
  );
}

/**
 * Removes a property of the stored item from the body when the client has sent the alternative of this property
 * instead. When a PATCH sets a property to null, or a PUT leaves the property out, its stored alternative is removed,
 * too.
 */
function withoutAlternatives(
  { alternatives = {} }: ItemRules,
  body: JsonObject,
  { body: sent, isPatch }: ItemChange,
): JsonObject {
  const has = (name: string): boolean => isJsonObject(sent) && Object.hasOwn(sent, name);
  const isRemoved = (name: string): boolean => isJsonObject(sent) && (has(name) || !isPatch) && !isGiven(sent[name]);
  const left = Object.entries(alternatives).flatMap(([name, other]) => {
    if (isRemoved(name) && !has(other)) return [other];
    return isGiven(body[other]) && !has(name) ? [name] : [];
  });
  return Object.fromEntries(Object.entries(body).filter(([name]) => !left.includes(name)));
}
