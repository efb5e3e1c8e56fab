import {
  compileConditionSql,
  type Condition,
  type ConditionTree,
  parseSearch,
  readCollectionQuery,
  readSearchCondition,
  SqlParameters,
} from '@ats/search-query';
import { runStatement, type Transaction } from '@ats/postgres';
import { getObjectType, objectModel } from '../objects/object-model.js';
import { type ObjectType } from '../vocabulary/object-type.js';
import { valuesOfPerson } from './identifying-texts.js';
import { textLiteralsIn } from './mention-texts.js';
import { tableOf } from '../reading/representation-sql.js';
import { findResource } from '../vocabulary/resource.js';
import { searchSubject } from '../reading/search-subject.js';
import { candidate } from '../objects/user.model.js';
import { configSearch, savedSearch } from '../objects/search-definition.model.js';

/** The text that replaces a personal value in a stored search. */
const REPLACEMENT = 'anonymised';

interface StoredTexts {
  readonly id: number;
  readonly resource: string;
  readonly search: readonly string[];
  readonly filter: string | null;
  readonly where_expression: string | null;
}

interface Person {
  readonly transaction: Transaction;
  readonly candidateId: number;
}

/**
 * The person, and the values of the stored searches that can find the person. No statement is needed to check any other
 * value.
 */
interface SoughtPerson extends Person {
  readonly values: ReadonlySet<string>;
}

/** Maximum number of searches that are in memory at the same time. */
const BATCH = 100;

/**
 * Removes a candidate from all stored searches. It replaces each name, phone number and address (e-mail, postal, web)
 * that finds this person and nobody else. It also replaces a value that finds only this person when it is compared with
 * the text of messages. A text in an expression is treated like a filter. The replacement finds no person, and the rest
 * of the search keeps its meaning. Call this function before the person's own data is removed.
 * @returns the number of changed searches
 */
export async function removePersonFromSearches(transaction: Transaction, candidateId: number): Promise<number> {
  let changed = 0;
  for (const type of [savedSearch, configSearch]) {
    for (let rows = await readBatch(transaction, type, 0); rows.length > 0; ) {
      const read = rows.map((row) => ({ row, compared: valuesIn(row) }));
      const all = new Set(read.flatMap(({ compared }) => compared));
      const values = await valuesOfPerson(transaction, candidateId, [...all]);
      const person = { transaction, candidateId, values };
      for (const { row, compared } of read) {
        if (!compared.some((value) => values.has(value))) continue;
        if (await removePersonFromSearch(person, type, row)) changed += 1;
      }
      rows = rows.length < BATCH ? [] : await readBatch(transaction, type, rows.at(-1)?.id ?? 0);
    }
  }
  return changed;
}

const readBatch = (transaction: Transaction, type: ObjectType, afterId: number): Promise<readonly StoredTexts[]> =>
  runStatement<StoredTexts>(
    transaction,
    `SELECT id, resource, search, filter, where_expression FROM ${tableOf(type)}
     WHERE id > $1 ORDER BY id LIMIT ${BATCH}`,
    [afterId],
  );

/** Returns the texts that a stored search compares with personal data. */
function valuesIn({ resource, search, filter, where_expression: where }: StoredTexts): readonly string[] {
  const root = findResource(resource)?.type;
  if (!root) return [];
  const values = search.flatMap((text) => personalCondition(root, text)?.values.map((value) => value.text) ?? []);
  const literals = where === null ? [] : (textLiteralsIn(where) ?? []).map(({ value }) => value);
  return [...values, ...literals, ...(filter === null ? [] : [filter])];
}

/**
 * Removes the person from one stored search.
 * @returns true when the search has changed
 */
async function removePersonFromSearch(person: SoughtPerson, type: ObjectType, row: StoredTexts): Promise<boolean> {
  const root = findResource(row.resource)?.type;
  if (!root) return false;
  const search: string[] = [];
  for (const text of row.search) search.push(await withoutPerson(person, root, text));
  const filter =
    row.filter !== null && person.values.has(row.filter) && (await isAboutPerson(person, root, row.filter))
      ? REPLACEMENT
      : row.filter;
  const where = row.where_expression === null ? null : await expressionWithout(person, root, row.where_expression);
  if (
    filter === row.filter &&
    where === row.where_expression &&
    search.every((text, index) => text === row.search[index])
  )
    return false;
  const update = `UPDATE ${tableOf(type)}
    SET search = $2, filter = $3, where_expression = $4, updated_dt = clock_timestamp() WHERE id = $1`;
  await runStatement(person.transaction, update, [row.id, search, filter, where]);
  return true;
}

/** Replaces each text literal of an expression that would, as a filter, find only this person. */
async function expressionWithout(person: SoughtPerson, root: ObjectType, text: string): Promise<string> {
  let left = text;
  for (const { value, offset, length } of [...(textLiteralsIn(text) ?? [])].reverse()) {
    if (value === '' || !person.values.has(value) || !(await isAboutPerson(person, root, value))) continue;
    left = `${left.slice(0, offset)}"${REPLACEMENT}"${left.slice(offset + length)}`;
  }
  return left;
}

/**
 * Reads a condition that can name a person. Returns its values in the order of the text, or undefined for any other
 * condition.
 */
function personalCondition(root: ObjectType, text: string) {
  const condition = readSearchCondition(searchSubject(root), text);
  const parsed = parseSearch(text);
  if ('violations' in condition || 'violations' in parsed) return undefined;
  if (!isIdentifying(condition.path) && !mayNamePerson(condition.path)) return undefined;
  return { condition, values: parsed.values };
}

/** Returns the condition after replacing every value that finds only this person. */
async function withoutPerson(person: SoughtPerson, root: ObjectType, text: string): Promise<string> {
  const personal = personalCondition(root, text);
  if (!personal?.values.some((value) => person.values.has(value.text))) return text;
  const { condition, values } = personal;
  let left = text;
  // The values are replaced from the end, so that the offsets of the earlier ones stay valid.
  for (const value of [...values].reverse()) {
    if (value.text === '' || !person.values.has(value.text)) continue;
    const alone = {
      path: condition.path,
      operator: condition.operator === '=~' ? '=~' : '=',
      text: value.text,
    } as const;
    if (!(await findsPersonAlone(person, alone))) continue;
    left = `${left.slice(0, value.offset)}${REPLACEMENT}${left.slice(value.offset + value.length)}`;
  }
  return left;
}

/** True when one value of a condition finds this person and nobody else. */
async function findsPersonAlone(
  person: Person,
  { path, operator, text }: { readonly path: ConditionTree.Path; readonly operator: '=' | '=~'; readonly text: string },
): Promise<boolean> {
  if (!isIdentifying(path))
    return path.end.kind === 'attribute' && isAboutPerson(person, getObjectType(path.end.owner), text);
  const alone = atItsEnd(path, operator, text);
  return (await finds(person, alone, 'the person')) && !(await finds(person, alone, 'others'));
}

/**
 * True when a free-text filter finds this person by a name, phone number or address, and finds nobody else by any
 * field.
 */
async function isAboutPerson(person: Person, root: ObjectType, text: string): Promise<boolean> {
  const [own, ofCandidates] = [filterOf(root, text), filterOf(candidate, text)];
  const ofPerson = leadsToCandidate(root) ? [...(ofCandidates?.fields ?? []), FULL_NAME] : [];
  const fields = [...(own?.fields ?? []), ...ofPerson];
  for (const path of fields.filter(isIdentifying)) {
    if (await finds(person, atItsEnd(path, '=~', text), 'the person'))
      return !ofCandidates || !(await finds(person, ofCandidates, 'others'));
  }
  return false;
}

function filterOf(type: ObjectType, text: string): Extract<Condition, { kind: 'filter' }> | undefined {
  const query = readCollectionQuery(searchSubject(type), { search: [], filter: text, sort: [] });
  const [condition] = query.violations || query.condition.kind !== 'all' ? [] : query.condition.conditions;
  return condition?.kind === 'filter' ? condition : undefined;
}

const isIdentifying = ({ end }: ConditionTree.Path): boolean =>
  end.kind === 'attribute' && getObjectType(end.owner).attributes[end.name]?.identifying === true;

/** The path of the full name. No representation shows it, but a message may contain it. */
const FULL_NAME: ConditionTree.Path = {
  datapath: 'fullname',
  root: candidate.name,
  steps: [],
  end: { kind: 'attribute', owner: candidate.name, name: 'fullname', type: 'text', many: false },
  many: false,
};

/**
 * True for personal texts of objects that belong to a candidate, such as messages. They may contain the candidate's
 * name or address.
 */
const mayNamePerson = ({ end }: ConditionTree.Path): boolean =>
  end.kind === 'attribute' &&
  leadsToCandidate(getObjectType(end.owner)) &&
  getObjectType(end.owner).attributes[end.name]?.personal === true;

const leadsToCandidate = (type: ObjectType): boolean => candidateColumnOf(type) !== undefined;
const candidateColumnOf = ({ relations }: ObjectType): string | undefined =>
  Object.values(relations).find(({ target }) => target === candidate.name)?.column;

/**
 * Returns a condition that compares the value with the attribute at the end of the path. The condition starts at the
 * object that has the attribute, and leaves out the relations of the path.
 */
function atItsEnd(
  { end }: ConditionTree.Path,
  operator: ConditionTree.Comparison['operator'],
  value: string,
): ConditionTree.Comparison {
  if (end.kind !== 'attribute')
    throw new Error('expected the datapath of a value that identifies a person to end at an attribute');
  const path: ConditionTree.Path = { datapath: end.name, root: end.owner, steps: [], end, many: end.many };
  return {
    kind: 'comparison',
    path,
    operator,
    isNegated: false,
    operand: { kind: 'text', values: [value] },
    matchesEmpty: false,
  };
}

/** True when the condition is true for a row of the person or, with `others`, for a row of another person. */
async function finds(
  { transaction, candidateId }: Person,
  condition: Exclude<Condition, { kind: 'all' | 'expression' }>,
  whom: 'the person' | 'others',
): Promise<boolean> {
  const root = condition.kind === 'filter' ? condition.root : condition.path.root;
  const parameters = new SqlParameters();
  const id = parameters.add(candidateId);
  const { text } = compileConditionSql(condition, { model: objectModel, alias: 't', settings: {}, parameters });
  const owner = `t.${ownerColumnOf(root)} ${whom === 'others' ? '<>' : '='} ${id}`;
  const rows = await runStatement(
    transaction,
    `SELECT 1 FROM ${tableOf(getObjectType(root))} t WHERE ${owner} AND (${text}) LIMIT 1`,
    parameters.values,
  );
  return rows.length > 0;
}

/**
 * Returns the column with the id of the candidate that a row belongs to: a foreign key, or `id` in the table of users.
 */
const ownerColumnOf = (type: string): string =>
  Object.values(candidate.relations).find(({ target, many }) => many && target === type)?.foreignKey ??
  candidateColumnOf(getObjectType(type)) ??
  'id';
