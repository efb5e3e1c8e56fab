import { DatapathError, violationMessage, parseDatapath } from '@ats/datapath';
import { type Message, message } from '@ats/message';
import { type RunQuery } from '../../reading/run-query.js';
import { modelForTexts } from '../../facts/form-items.js';
import { type DomainModel } from '../../objects/object-model.js';
import { type ObjectType } from '../../vocabulary/object-type.js';
import { findResource } from '../../vocabulary/resource.js';
import { type Violation } from '../../vocabulary/validation-error.js';
import { type WriteBody } from '../../writing/write-schema.js';
import { type Layout, type LayoutColumn, readLayoutColumn } from '../../reading/layout-column.js';
import { weightOf } from '../../reading/layout-weight.js';
import { LAYOUT_LIMITS, layoutColumn } from '../../objects/layout.model.js';

/** Either a layout as it is stored, with its columns, or all violations that the schema cannot find. */
export type ReadLayout = CheckedLayout | { readonly violations: readonly Violation[] };

interface CheckedLayout {
  readonly body: WriteBody;
  readonly layout: Layout;
  /** Name of the object type from which the datapaths of the columns start. */
  readonly root: string;
  readonly violations?: undefined;
}

/** Checks the columns of a body that matches its schema, and adds `type` and `is_many` to each column. */
export async function readLayoutBody(run: RunQuery, body: WriteBody): Promise<ReadLayout> {
  const { type, violations, columns } = await readColumns(run, body);
  if (!type || violations.length > 0) return { violations };
  const given = body['columns'] as readonly WriteBody[];
  const completed = columns.map((column, index) => {
    const { datapath, type, isMany } = column;
    return {
      position: positionOf(given[index], index),
      column,
      stored: { ...given[index], datapath, type, is_many: isMany },
    };
  });
  completed.sort((a, b) => a.position - b.position);
  return {
    body: { ...body, columns: completed.map(({ stored }) => stored) },
    layout: { columns: completed.map(({ column }) => column) },
    root: type.name,
  };
}

/** Returns the violations of the columns. It also works for a body that violates its schema. */
export const layoutViolations = async (run: RunQuery, given: WriteBody): Promise<readonly Violation[]> =>
  (await readColumns(run, given)).violations;

interface ReadColumns {
  /** The object type of the collection's items. Undefined when the body names no valid collection. */
  readonly type?: ObjectType | undefined;
  readonly columns: readonly LayoutColumn[];
  readonly violations: readonly Violation[];
}

async function readColumns(run: RunQuery, { resource, columns: given }: WriteBody): Promise<ReadColumns> {
  if (!Array.isArray(given) || given.length > LAYOUT_LIMITS.columns) return { violations: [], columns: [] };
  const type = typeof resource === 'string' ? findResource(resource)?.type : undefined;
  const elements = (given as readonly unknown[]).map((element) =>
    typeof element === 'object' && element !== null ? (element as WriteBody) : {},
  );
  const model = await modelForTexts(
    run,
    elements.flatMap(({ datapath }) => (typeof datapath === 'string' ? [datapath] : [])),
  );
  const violations: Violation[] = [...positionViolations(elements)];
  const columns: LayoutColumn[] = [];
  const related = new Set<string>();
  for (const [index, element] of elements.entries()) {
    const violation = (name: string, info: Message): void =>
      void violations.push({ path: `/columns/${index}/${name}`, code: 'invalid', info });
    const read = readElement(type, element, model);
    if (!read) continue;
    if ('violations' in read) {
      for (const info of read.violations) violation('datapath', info);
      continue;
    }
    columns.push(read);
    const differs = (name: string, value: unknown): boolean => isGiven(name, element[name]) && element[name] !== value;
    if (differs('type', read.type))
      violation('type', message`expected ${read.type}, the type of the values of ${read.datapath}`);
    if (differs('is_many', read.isMany))
      violation(
        'is_many',
        read.isMany
          ? message`expected ${'true'}: ${read.datapath} has many values`
          : message`expected ${'false'}: ${read.datapath} has one value`,
      );
    for (const step of stepsOf(read, index)) related.add(step);
    if (related.size > LAYOUT_LIMITS.relatedObjects)
      violation(
        'datapath',
        message`expected all columns together to read at most ${LAYOUT_LIMITS.relatedObjects} related objects`,
      );
  }
  const weight = type ? weightOf(type, columns) : 0;
  if (weight > LAYOUT_LIMITS.weight) violations.push({ path: '/columns', code: 'invalid', info: tooHeavy(weight) });
  return { type, violations, columns };
}

/**
 * Makes the text of the violation for columns that are together too expensive.
 * Source: docs/reference/layouts.md, "Limits".
 */
export const tooHeavy = (weight: number): Message =>
  message`expected columns with a weight of at most ${LAYOUT_LIMITS.weight} together, found ${weight}: use fewer counts, \
lists and long texts`;

/**
 * Reads one column of a body. Returns undefined for an element that violates the schema, and for every element when the
 * body names no valid collection, because no datapath can be resolved then.
 */
function readElement(
  type: ObjectType | undefined,
  { datapath }: WriteBody,
  model: DomainModel,
): ReturnType<typeof readLayoutColumn> | undefined {
  if (typeof datapath !== 'string' || !isGiven('datapath', datapath)) return undefined;
  if (type) return readLayoutColumn(type, datapath, model);
  try {
    parseDatapath(datapath, model);
    return undefined;
  } catch (error) {
    if (!(error instanceof DatapathError)) throw error;
    return { violations: error.violations.map(violationMessage) };
  }
}

/** True when a value is present and matches its schema. The schema reports all other values. */
const isGiven = (name: string, value: unknown): boolean =>
  value !== undefined && value !== null && layoutColumn.attributes[name]?.schema.safeParse(value).success === true;

/**
 * Identifies the related objects that a column reads, because their number is limited. Columns that follow the same
 * to-one relation share an object. Each to-many column counts its objects separately.
 */
export function stepsOf({ value, isMany, formItem }: LayoutColumn, index: number): readonly string[] {
  // A form value is a separate row, so it counts like the target of a relation.
  const names = value.split('.').slice(0, formItem ? undefined : -1);
  return names.map((_, end) => `${isMany ? index : ''} ${names.slice(0, end + 1).join('.')}`);
}

const positionOf = (element: WriteBody | undefined, index: number): number => {
  const position = element?.['position'];
  return isGiven('position', position) ? Number(position) : index + 1;
};

/** Returns violations unless the positions are the numbers from 1 to the number of columns, each once. */
function positionViolations(elements: readonly WriteBody[]): readonly Violation[] {
  const positions = elements.map(positionOf);
  return elements.flatMap(({ position }, index) => {
    const own = positions[index] ?? 0;
    const isRight = own <= elements.length && positions.indexOf(own) === positions.lastIndexOf(own);
    if (isRight || !isGiven('position', position)) return [];
    return [
      {
        path: `/columns/${index}/position`,
        code: 'invalid',
        info: message`expected each position from 1 to ${elements.length} once, found ${own}`,
      },
    ];
  });
}
