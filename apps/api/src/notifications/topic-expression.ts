import { type CompiledExpression, DatapathError, formatViolation } from '@ats/datapath';
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
  type WriteBody,
} from '@ats/domain';
import { checkDatapathScopes } from '../vocabulary/scopes.js';

/** An expression and the type of its events. */
export interface TypedExpression {
  readonly type: EventType;
  readonly expression: string | null;
}

/** An expression whose type may be missing or invalid. */
type PartlyTyped = Pick<TypedExpression, 'expression'> & { readonly type: EventType | null };

/**
 * Returns all violations of the expression in a body, each with its position. The body may have other violations. When
 * its type is missing or invalid, the expression may begin with the subject of any event type.
 */
export async function expressionViolations(
  run: RunQuery,
  { type, expression }: WriteBody,
): Promise<readonly Violation[]> {
  const known = EVENT_TYPES.find((one) => one === type) ?? null;
  return typeof expression === 'string'
    ? violationsOf({ type: known, expression }, await modelFor(run, expression))
    : [];
}

/**
 * Checks an expression and compiles it.
 * @param granted  scopes of the credential
 * @throws {ValidationError} with all violations of the expression, each with its position
 * @throws {Problem} 403 when the expression reads a resource that the credential may not read
 * Source: docs/reference/expressions.md.
 */
export async function checkedExpression(
  run: RunQuery,
  granted: ReadonlySet<string>,
  given: TypedExpression,
): Promise<CompiledExpression> {
  const model = await modelFor(run, given.expression);
  const violations = violationsOf(given, model);
  if (violations.length > 0) throw new ValidationError(notificationTopics.name, violations);
  const compiled = checkTopicExpression(given.type, given.expression, model);
  checkReadable(granted, EVENT_ROOTS[given.type], compiled.datapaths);
  return compiled;
}

/**
 * Checks that the credential has the scopes for datapaths, each of which begins with the name of `root`.
 * @throws {Problem} 403 when the credential may not read one of the datapaths
 */
export const checkReadable = (granted: ReadonlySet<string>, root: EventSubject, datapaths: readonly string[]): void =>
  checkDatapathScopes(
    granted,
    root,
    datapaths.map((datapath) => datapath.slice(root.length + 1)),
  );

/** The object model with the form items that the expression names, and with closed lists of values. */
const modelFor = (run: RunQuery, expression: string | null): Promise<DomainModel> =>
  modelForNewTexts(run, expression === null ? [] : [expression]);

function violationsOf({ type, expression }: PartlyTyped, model: DomainModel): readonly Violation[] {
  try {
    checkTopicExpression(type, expression, model);
    return [];
  } catch (error) {
    if (!(error instanceof DatapathError)) throw error;
    return error.violations.map((violation) => ({
      path: '/expression',
      code: 'invalid',
      info: formatViolation(violation),
    }));
  }
}
