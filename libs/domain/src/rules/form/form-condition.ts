import { DatapathError, violationMessage, parseExpression, visitExpression } from '@ats/datapath';
import { modelForNewTexts } from '../../facts/closed-values.js';
import { modelWithKeys } from '../../facts/form-items.js';
import { FORM_ROOTS, type FormResource, type ItemType } from '../../objects/form.model.js';
import { type FormOwner } from '../../objects/form-value.model.js';
import { type RunQuery } from '../../reading/run-query.js';
import { DATAPATH_SYNTAX } from '../../vocabulary/form-data.js';
import { type Message } from '@ats/message';
import { checkCondition } from './form-violations.js';

/**
 * The result of checking a condition for a stored form: its violations, and the properties of the form that its
 * evaluation needs.
 */
export interface FormCondition {
  readonly resource: FormResource;
  readonly root: FormOwner;
  /** Empty when the form applies to all opportunities. */
  readonly opportunityIds: readonly number[];
  readonly violations: readonly Message[];
  /** Replaces the key of a form item in a datapath by the item's id. */
  readonly withId: (datapath: string) => string;
}

/**
 * Checks a condition as if an item of the stored form had it. It may name items of the form by key.
 * @returns undefined when the form does not exist
 * Source: docs/reference/forms.md, "Visibility".
 */
export async function readFormCondition(
  run: RunQuery,
  formId: number,
  text: string,
): Promise<FormCondition | undefined> {
  const [form] = await run('SELECT resource, to_json(opportunity_ids) AS opportunity_ids FROM forms WHERE id = $1', [
    formId,
  ]);
  if (!form) return undefined;
  const rows = await run(
    `SELECT i.id, i.key, i.type FROM form_items i JOIN form_sections s ON s.id = i.section_id WHERE s.form_id = $1`,
    [formId],
  );
  const items = rows as unknown as readonly { readonly id: number; readonly key: string; readonly type: ItemType }[];
  const resource = form['resource'] as FormResource;
  const root = FORM_ROOTS[resource];
  const model = modelWithKeys(
    await modelForNewTexts(run, [text]),
    root,
    new Map(items.map(({ key, type }) => [key, type])),
  );
  const ids = new Map(items.map(({ key, id }) => [key, id]));
  const own = new RegExp(`^(${root}\\.formdata\\.)(\\w+)`);
  return {
    resource,
    root,
    opportunityIds: form['opportunity_ids'] as readonly number[],
    violations: violationsOf(() => checkCondition(text, resource, model)),
    withId: (datapath) =>
      datapath.replace(own, (_, start: string, name: string) => `${start}${String(ids.get(name) ?? name)}`),
  };
}

function violationsOf(check: () => unknown): readonly Message[] {
  try {
    check();
    return [];
  } catch (error) {
    if (!(error instanceof DatapathError)) throw error;
    return error.violations.map(violationMessage);
  }
}

/** Replaces every datapath of a valid expression. */
export function replaceDatapaths(text: string, replace: (datapath: string) => string): string {
  let replaced = '';
  let end = 0;
  visitExpression(parseExpression(text, DATAPATH_SYNTAX), {
    path({ offset, path }) {
      replaced += `${text.slice(end, offset)}${replace(path.text)}`;
      end = offset + path.text.length;
    },
  });
  return `${replaced}${text.slice(end)}`;
}
