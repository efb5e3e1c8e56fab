import { formValuesTable, type FormOwner } from '../src/objects/form-value.model.js';
import { type ObjectData } from '../src/vocabulary/attribute-options.js';
import { getObjectType, objectModel } from '../src/objects/object-model.js';
import { type ObjectType } from '../src/vocabulary/object-type.js';
import { type Relation } from '../src/vocabulary/relation.js';
import { tableOf } from '../src/reading/representation-sql.js';
import { type Row, type Rows } from './random-row.js';

type Mutable = Record<string, unknown>;
type Link = (row: Row, all: ObjectGraph) => ObjectData | undefined;

/**
 * Maps relations without a foreign key to functions that find the related object. The functions are independent of the
 * SQL of the joins.
 */
const LINKS: Readonly<Record<string, Link>> = {
  'application.vacancy': ({ opportunity_id }, all) => all.find('vacancy', opportunity_id),
  'application.event': ({ opportunity_id }, all) => all.find('event', opportunity_id),
  'communication.template': ({ template_id }, all) => all.find('message_template', template_id),
  'user.candidate': ({ id }, all) => all.find('candidate', id),
  'user.recruiter': ({ id }, all) => all.find('recruiter', id),
  'candidate.user': ({ id }, all) => all.find('user', id),
  'recruiter.user': ({ id }, all) => all.find('user', id),
};

/**
 * Rows as objects that are linked by the relations of the model. Specs read attributes from these objects in memory.
 */
export class ObjectGraph {
  readonly #byType = new Map<string, Map<unknown, Mutable>>();

  constructor(
    private readonly rows: Rows,
    private readonly now: Date,
  ) {
    for (const type of objectModel.types) if (type.table) this.#makeAll(type);
    for (const type of objectModel.types) {
      for (const [id, values] of this.#formValues(type))
        Object.assign(this.#byType.get(type.name)?.get(id) ?? {}, values);
      for (const row of this.#rowsOf(type))
        Object.assign(this.#byType.get(type.name)?.get(row['id']) ?? {}, this.#relations(type, row));
    }
  }

  all(type: string): readonly ObjectData[] {
    return [...(this.#byType.get(type)?.values() ?? [])];
  }

  find(type: string, id: unknown): ObjectData | undefined {
    return this.#byType.get(type)?.get(id);
  }

  #rowsOf(type: ObjectType): readonly Row[] {
    if (!type.table) return [];
    const rows = this.rows[tableOf(type)] ?? [];
    return rows.filter((row) => Object.entries(type.fixed).every(([column, value]) => row[column] === value));
  }

  #makeAll(type: ObjectType): void {
    this.#byType.set(type.name, new Map(this.#rowsOf(type).map((row) => [row['id'], this.#attributes(type, row)])));
  }

  /**
   * Returns each form value with the id of its owner. Each value is an object of its own, because searches need that.
   */
  #formValues({ name, hasFormData }: ObjectType): readonly (readonly [unknown, Mutable])[] {
    if (!hasFormData) return [];
    return (this.rows[formValuesTable(name as FormOwner)] ?? []).map(
      ({ owner_id, item_id, section_instance, form_instance, ...columns }) => {
        const value = Object.values(columns).find((one) => one !== null);
        return [owner_id, { [`formdata.${[item_id, section_instance, form_instance].join(':')}`]: { value } }];
      },
    );
  }

  #attributes(type: ObjectType, row: Row): Mutable {
    const object: Mutable = { ...row };
    for (const [name, { column }] of Object.entries(type.attributes)) {
      if (column) object[name] = row[column.name ?? name] ?? null;
    }
    if ('application_count' in type.attributes)
      object['applications'] = (this.rows['applications'] ?? []).filter((one) => one['opportunity_id'] === row['id']);
    if (type.name === 'candidate') object['inactive_since_dt'] = this.#inactiveSince(row);
    if (type.name === 'notification_subscription') object['status'] = this.#statusOf(row);
    return object;
  }

  /** The time of the last activity of a candidate, implemented in TypeScript independently of its SQL. */
  #inactiveSince({ id, status, created_dt, updated_dt }: Row): unknown {
    const ownIn = (table: string): readonly Row[] => (this.rows[table] ?? []).filter((row) => row['user_id'] === id);
    const terminal = new Set(
      (this.rows['states'] ?? []).filter((state) => state['is_terminal']).map((one) => one['id']),
    );
    const applications = ownIn('applications');
    const isActive = applications.some((one) => one['is_live'] === true && !terminal.has(one['state_id']));
    if (status === 'anonymised' || isActive) return null;
    const documents = (this.rows['documents'] ?? []).filter(
      (one) => one['candidate_id'] === id || applications.some((each) => each['id'] === one['application_id']),
    );
    const moments = [created_dt, updated_dt]
      .concat(applications.flatMap((one) => [one['created_dt'], one['state_entered_dt']]))
      .concat(ownIn('communications').map((one) => one['created_dt']))
      .concat(documents.map((one) => one['updated_dt']));
    return moments.reduce((last, one) => (new Date(String(one)) > new Date(String(last)) ? one : last));
  }

  #statusOf({ disabled_dt, end_dt, active_from_dt }: Row): string {
    const isPast = (moment: unknown): boolean => typeof moment === 'string' && new Date(moment) <= this.now;
    if (disabled_dt !== null) return 'disabled';
    if (isPast(end_dt)) return 'ended';
    return isPast(active_from_dt) ? 'active' : 'pending';
  }

  #relations(type: ObjectType, row: Row): Mutable {
    return Object.fromEntries(
      Object.entries(type.relations).map(([name, relation]) => [name, this.#target(type, { name, relation }, row)]),
    );
  }

  #target(type: ObjectType, { name, relation }: { name: string; relation: Relation }, row: Row): unknown {
    const { many, column, ownerColumn, target } = relation;
    if (many) return this.all(target).filter((one) => one[ownerColumn ?? ''] === row['id']);
    const link = LINKS[`${type.name}.${name}`];
    if (link) return link(row, this) ?? null;
    if (column) return this.find(target, row[column]) ?? null;
    const embedded = getObjectType(target);
    if (relation.join || embedded.table)
      throw new Error(`add ${type.name}.${name} to LINKS: its relation has no foreign key`);
    return { ...this.#attributes(embedded, row), ...this.#relations(embedded, row) };
  }
}
