import { formValuesTable } from '../objects/form-value.model.js';
import { getObjectType } from '../objects/object-model.js';
import { candidate } from '../objects/user.model.js';
import { tableOf } from '../reading/representation-sql.js';
import { type Attribute } from '../vocabulary/attribute.js';
import { type ObjectType } from '../vocabulary/object-type.js';
import { API_PREFIX } from '../vocabulary/resource-url.js';
import { allResources, type Resource } from '../vocabulary/resource.js';
import { type StoredContent } from './mention-texts.js';

/** A stored column whose texts come from clients. */
export interface MentionColumn {
  /** JSON pointer of the property, relative to the row. */
  readonly property: string;
  readonly column: string;
  readonly content: StoredContent;
  /** True for a column of the type `jsonb`. */
  readonly isJson: boolean;
  readonly isArray: boolean;
}

/** A kind of rows with texts from clients: the rows of one table that belong to the items of one resource. */
export interface MentionPlace {
  /** Unique name of the place. The rows of remembered mentions contain it. */
  readonly name: string;
  readonly table: string;
  /** SQL `FROM` clause with the rows and their items. The alias of the items is `item`. */
  readonly from: string;
  /** SQL conditions on the rows. `$1` is the id of the person, whose own rows are excluded. */
  readonly where: readonly string[];
  /** The alias of the rows in the `from` clause. */
  readonly row: string;
  /** The columns that identify the row in its table. Their values are whole numbers. */
  readonly keyColumns: readonly string[];
  readonly resource: Resource;
  /** SQL for the id of the item. */
  readonly itemId: string;
  /** SQL for the URL at which the texts can be read. Defaults to the URL of the item. */
  readonly url?: (baseUrl: string) => string;
  /** SQL for the JSON pointer from the item to the row. */
  readonly pointer: string;
  readonly columns: readonly MentionColumn[];
}

/** Returns all places where the model lets clients store texts. They are found once and then kept. */
export function mentionPlaces(): readonly MentionPlace[] {
  places ??= [
    ...allResources().flatMap(placesOfResource),
    ...formValuePlaces(),
    ...historyPlaces(),
    revisionsOfTopics(),
  ];
  return places;
}
let places: readonly MentionPlace[] | undefined;

/** Returns the resources whose items can have texts that mention a person. */
export const resourcesWithMentions = (): readonly Resource[] => [
  ...new Set(mentionPlaces().map(({ resource }) => resource)),
];

function placesOfResource(resource: Resource): readonly MentionPlace[] {
  const { type } = resource;
  if (!type.table) return [];
  const owner = candidateColumnOf(type);
  const isOfPerson = owner === undefined || owner === 'id';
  const columns = Object.entries(type.attributes).flatMap(([name, attribute]) =>
    attribute.write || attribute.personal ? columnsOf(name, attribute, isOfPerson) : [],
  );
  const fixed = Object.entries({ ...type.fixed, ...resource.fixed });
  const where = [
    ...fixed.map(([column, value]) => `item.${column} = '${value}'`),
    ...(owner === undefined ? [] : [`item.${owner} IS DISTINCT FROM $1`]),
  ];
  const place: MentionPlace = {
    name: resource.name,
    table: type.table,
    from: `${type.table} item`,
    where,
    row: 'item',
    keyColumns: ['id'],
    resource,
    itemId: 'item.id',
    pointer: `''`,
    columns,
  };
  const own = columns.length > 0 ? [place] : [];
  return isFilledByClients(type) ? [...own, ...partPlaces(place, type, 'item')] : own;
}

const isFilledByClients = ({ properties }: ObjectType): boolean =>
  Object.values(properties).some(({ write }) => write !== undefined);

/**
 * Returns the column with the id of the person that a row belongs to. The person's own rows are excluded, because they
 * are blanked.
 */
function candidateColumnOf({ table, relations }: ObjectType): string | undefined {
  if (table === candidate.table) return 'id';
  return Object.values(relations).find(({ target, column }) => target === candidate.name && column)?.column;
}

/** Returns the places of rows that are written together with their owner, at every depth. */
function partPlaces(above: MentionPlace, type: ObjectType, alias: string): readonly MentionPlace[] {
  return Object.entries(type.relations).flatMap(([name, relation]) => {
    if (!relation.many || !relation.foreignKey) return [];
    const part = getObjectType(relation.target);
    const own = `${alias}_${name.toLowerCase()}`;
    const columns = Object.entries({ ...part.attributes, ...embeddedAttributes(part) }).flatMap(
      ([property, attribute]) => columnsOf(property, attribute),
    );
    const place: MentionPlace = {
      name: `${above.name}/${name}`,
      table: tableOf(part),
      from: `${above.from} JOIN ${tableOf(part)} ${own} ON ${own}.${relation.foreignKey} = ${alias}.id`,
      where: above.where,
      row: own,
      keyColumns: ['id'],
      resource: above.resource,
      itemId: above.itemId,
      pointer: `${above.pointer} || '/${name}/' || ${own}.position`,
      columns,
    };
    return [...(columns.length > 0 ? [place] : []), ...partPlaces(place, part, own)];
  });
}

/** Returns the attributes of embedded objects, which are stored in the row of their owner. */
function embeddedAttributes({ relations }: ObjectType): Readonly<Record<string, Attribute>> {
  const embedded = Object.entries(relations).filter(([, { many, join }]) => !many && !join);
  return Object.fromEntries(
    embedded.flatMap(([name, { target }]) =>
      Object.entries(getObjectType(target).attributes).map(([own, attribute]) => [`${name}/${own}`, attribute]),
    ),
  );
}

/** Returns the columns of an attribute in which a person other than the owner can be mentioned. */
function columnsOf(name: string, attribute: Attribute, isOfPerson = true): readonly MentionColumn[] {
  const { column, content, identifying, values, listed, format, htmlColumn } = attribute;
  const isText = column?.type === 'text' || column?.type === 'jsonb';
  // The name and address columns of a person identify only that person, so they are left out. The addresses of a
  // message can belong to anybody, so they are searched.
  if (!isText || (identifying && isOfPerson) || values || listed || format === 'uuid' || content === 'code') return [];
  const shared = { property: `/${name}`, isJson: column.type === 'jsonb', isArray: column.isArray ?? false };
  const plain = { ...shared, column: column.name ?? name, content: content ?? 'prose' } as const;
  return htmlColumn === undefined ? [plain] : [plain, { ...shared, column: htmlColumn, content: 'html' }];
}

/**
 * Returns the places of form values of vacancies and events. Form values of applications are missing, because they
 * belong to the candidates.
 */
function formValuePlaces(): readonly MentionPlace[] {
  const shared = { property: '/form_values', isJson: false, isArray: false } as const;
  return allResources()
    .filter(({ type }) => type.hasFormData && type.table === 'opportunities')
    .map((resource) => {
      const kind = Object.entries(resource.type.fixed).map(([column, value]) => `item.${column} = '${value}'`);
      return {
        name: `${resource.name}/form_values`,
        table: formValuesTable('opportunity'),
        from: `${formValuesTable('opportunity')} v JOIN opportunities item ON item.id = v.owner_id
          JOIN form_items question ON question.id = v.item_id`,
        where: [...kind, `question.type NOT IN ('single_select', 'multi_select')`],
        row: 'v',
        keyColumns: ['owner_id', 'item_id', 'section_instance', 'form_instance'],
        resource,
        itemId: 'item.id',
        url: (baseUrl: string) => `${baseUrl} || '${API_PREFIX}/${resource.paths[0]}/' || item.id || '/form_values'`,
        pointer: `''`,
        columns: [
          { ...shared, column: 'text_value', content: 'prose' },
          { ...shared, column: 'long_value', content: 'prose' },
          { ...shared, column: 'rich_value_plain', content: 'prose' },
          { ...shared, column: 'rich_value', content: 'html' },
        ],
      } satisfies MentionPlace;
    });
}

/**
 * Returns the places in the history of vacancies, events and postings: comments, and the old and new values of changes.
 */
function historyPlaces(): readonly MentionPlace[] {
  const subjects: Readonly<Record<string, string>> = { opportunities: 'opportunity', postings: 'posting' };
  return allResources().flatMap((resource) => {
    const subject = subjects[resource.type.table ?? ''];
    if (subject === undefined || !isFilledByClients(resource.type)) return [];
    const { fixed, table } = resource.type;
    return [
      {
        name: `${resource.name}/history`,
        table: 'history_entries',
        from: `history_entries h JOIN ${table} item ON item.id = h.subject_id`,
        where: [
          `h.subject_type = '${subject}'`,
          ...Object.entries(fixed).map(([column, value]) => `item.${column} = '${value}'`),
        ],
        row: 'h',
        keyColumns: ['id'],
        resource,
        itemId: 'item.id',
        url: (baseUrl: string) => `${baseUrl} || '${API_PREFIX}/${resource.paths[0]}/' || item.id || '/history'`,
        pointer: `'/history/' || h.id`,
        columns: [
          { property: '/comment', column: 'comment', content: 'prose', isJson: false, isArray: false },
          { property: '/changes', column: 'changes', content: 'prose', isJson: true, isArray: false },
        ],
      } satisfies MentionPlace,
    ];
  });
}

/** Returns the place of earlier expressions of topics, which explanations of events show. */
function revisionsOfTopics(): MentionPlace {
  const resource = allResources().find(({ name }) => name === 'notification_topics');
  if (!resource) throw new Error('the object model has no resource notification_topics');
  return {
    name: 'notification_topics/revisions',
    table: 'notification_topic_revisions',
    from: 'notification_topic_revisions r JOIN notification_topics item ON item.id = r.topic_id',
    where: [],
    row: 'r',
    keyColumns: ['topic_id', 'revision'],
    resource,
    itemId: 'item.id',
    pointer: `'/revisions/' || r.revision`,
    columns: [{ property: '/expression', column: 'expression', content: 'expression', isJson: false, isArray: false }],
  };
}
