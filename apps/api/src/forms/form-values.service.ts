import {
  type FormOwner,
  formValuesTable,
  givenValues,
  MAX_BULK_ITEMS,
  type OwnerValues,
  readFormValues,
  type Resource,
  type RichTextForm,
  type ShownValue,
  type Violation,
  writeFormValues,
} from '@ats/domain';
import { Database, runStatement } from '@ats/postgres';
import { Injectable } from '@nestjs/common';
import { type Work } from '../collections/unit-of-work.js';

const tableOf = ({ type }: Resource): string => formValuesTable(type.name as FormOwner);
/**
 * Returns the items in the body of a bulk write, which may be invalid. Returns none when the body has too many items,
 * because the schema reports that.
 */
function givenItems(body: unknown): readonly unknown[] {
  const items = isObject(body) ? body['items'] : undefined;
  return Array.isArray(items) && items.length <= MAX_BULK_ITEMS ? items : [];
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

interface Written {
  readonly body: unknown;
  /** The violations that the schema has found in the body. */
  readonly violations: readonly Violation[] | undefined;
  /** The format of rich texts in the answer: plain text or HTML. */
  readonly form: RichTextForm | undefined;
}

@Injectable()
export class FormValuesService {
  constructor(private readonly database: Database) {}

  /** Reads the values of one object as JSON text. */
  async read(resource: Resource, id: number, form: RichTextForm | undefined): Promise<string> {
    const values = await readFormValues(
      (text, parameters) => this.database.reading.query({ text, parameters }),
      tableOf(resource),
      [id],
      form,
    );
    return JSON.stringify({ form_values: values.get(id) });
  }

  /** Writes form values of an object. Returns all its values after the write, as JSON text. */
  async write(
    work: Work,
    resource: Resource,
    { id, body, violations, form }: Written & { readonly id: number },
  ): Promise<string> {
    const pointer = '/form_values';
    const values = givenValues(isObject(body) ? body['form_values'] : undefined, pointer);
    const written = await this.#write(work, resource, { owners: [{ id, pointer, ...values }], violations, form });
    return JSON.stringify({ form_values: written.get(id) });
  }

  async writeBulk(work: Work, resource: Resource, { body, violations, form }: Written): Promise<string> {
    const items = givenItems(body);
    const owners = items.flatMap((item, index): OwnerValues[] => {
      const pointer = `/items/${index}/form_values`;
      return isObject(item) && Number.isSafeInteger(item['id'])
        ? [{ id: Number(item['id']), pointer, ...givenValues(item['form_values'], pointer) }]
        : [];
    });
    const written = await this.#write(work, resource, { owners, violations, form });
    return JSON.stringify({ items: owners.map(({ id }) => ({ id, form_values: written.get(id) })) });
  }

  /**
   * Returns the user ids of the candidates of these applications. Vacancies and events have no candidates, so the list
   * is then empty.
   */
  async people({ transaction }: Work, { type }: Resource, ids: readonly number[]): Promise<readonly number[]> {
    if (type.name !== 'application') return [];
    const rows = await runStatement<{ user_id: number }>(
      transaction,
      'SELECT DISTINCT user_id FROM applications WHERE id = ANY($1)',
      [ids],
    );
    return rows.map(({ user_id }) => user_id);
  }

  async #write(
    { transaction, recruiterId, settings }: Work,
    resource: Resource,
    { owners, violations, form }: Omit<Written, 'body'> & { readonly owners: readonly OwnerValues[] },
  ): Promise<ReadonlyMap<number, readonly ShownValue[]>> {
    await writeFormValues(transaction, { resource, recruiterId, settings, ...(violations && { violations }) }, owners);
    return readFormValues(
      (text, parameters) => runStatement(transaction, text, parameters),
      tableOf(resource),
      owners.map(({ id }) => id),
      form,
    );
  }
}
