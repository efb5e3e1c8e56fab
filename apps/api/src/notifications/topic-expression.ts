import { type CompiledExpression, DatapathError, datapathIn, violationMessage } from '@ats/datapath';
import {
  checkTopicExpression,
  type DomainModel,
  EVENT_ROOTS,
  EVENT_TYPES,
  type EventSubject,
  type EventType,
  modelForNewTexts,
  notificationTopics,
  type RunQuery,
  ValidationError,
  type Violation,
  withoutLists,
  type WriteBody,
} from '@ats/domain';
import { checkDatapathScopes, MissingScope } from '../vocabulary/scopes.js';

/** An expression and the event type of its topic. */
export interface TypedExpression {
  readonly type: EventType;
  readonly expression: string | null;
}

/** An expression of an unchecked body, whose event type may be missing or invalid. */
type PartlyTyped = Pick<TypedExpression, 'expression'> & { readonly type: EventType | null };

/**
 * Returns all violations of the expression in a body, each with its position. The body may have other violations. When
 * its type is missing or invalid, the expression may begin with the subject of any event type.
 * @param id  the topic that the body replaces; its unchanged expression stays valid
 */
export async function expressionViolations(
  run: RunQuery,
  { type, expression }: WriteBody,
  id?: number,
): Promise<readonly Violation[]> {
  const known = EVENT_TYPES.find((one) => one === type) ?? null;
  return typeof expression === 'string'
    ? violationsOf({ type: known, expression }, await modelFor(run, expression, id))
    : [];
}

/**
 * Checks an expression and compiles it.
 * @param granted  scopes of the credential
 * @param given.id  the topic that the expression replaces; its unchanged expression stays valid
 * @throws {ValidationError} with all violations of the expression, each with its position
 * @throws {Problem} 403 when the expression reads a resource that the credential may not read
 * Source: docs/reference/expressions.md.
 */
export async function checkedExpression(
  run: RunQuery,
  granted: ReadonlySet<string>,
  given: TypedExpression & { readonly id?: number | undefined },
): Promise<CompiledExpression> {
  const model = await modelFor(run, given.expression, given.id);
  const violations = violationsOf(given, model);
  if (violations.length > 0) throw new ValidationError(notificationTopics.name, violations);
  const compiled = checkTopicExpression(given.type, given.expression, model);
  checkReadable(granted, EVENT_ROOTS[given.type], compiled.datapaths);
  return compiled;
}

/**
 * Checks that the credential has the scopes for datapaths. Each datapath begins with the name of `root`.
 * @throws {Problem} 403 when the credential may not read one of the datapaths
 */
export const checkReadable = (granted: ReadonlySet<string>, root: EventSubject, datapaths: readonly string[]): void =>
  checkDatapathScopes(
    granted,
    root,
    datapaths.map((datapath) => datapathIn(datapath).slice(root.length + 1)),
  );

/**
 * Checks that the credential has the scopes for the datapaths of a topic. With `showsSubjects` it also needs the scopes
 * of the subjects of the topic's events.
 * @throws {Problem} 403 when the credential lacks a scope
 */
export function checkTopicScopes(
  granted: ReadonlySet<string>,
  { type, datapaths }: { readonly type: EventType; readonly datapaths: readonly string[] },
  showsSubjects: boolean,
): void {
  const root = EVENT_ROOTS[type];
  const paths = showsSubjects ? [`${root}.id`, ...datapaths] : datapaths;
  try {
    checkReadable(granted, root, paths);
  } catch (error) {
    throw error instanceof MissingScope ? error.withoutUse() : error;
  }
}

/**
 * Returns the object model with the form items that the expression names. An unchanged expression is checked without
 * closed lists, because their values may have changed since it was stored.
 */
async function modelFor(run: RunQuery, expression: string | null, id: number | undefined): Promise<DomainModel> {
  const texts = expression === null ? [] : [expression];
  const model = await modelForNewTexts(run, texts);
  if (id === undefined) return model;
  const [topic] = await run('SELECT expression FROM notification_topics WHERE id = $1', [id]);
  return topic?.['expression'] === expression ? withoutLists(model) : model;
}

function violationsOf({ type, expression }: PartlyTyped, model: DomainModel): readonly Violation[] {
  try {
    checkTopicExpression(type, expression, model);
    return [];
  } catch (error) {
    if (!(error instanceof DatapathError)) throw error;
    return error.violations.map((violation) => ({
      path: '/expression',
      code: 'invalid',
      info: violationMessage(violation),
    }));
  }
}
