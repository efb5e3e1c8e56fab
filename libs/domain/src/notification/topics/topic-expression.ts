import { checkExpression, compileExpression, type CompiledExpression, parseExpression } from '@ats/datapath';
import { EVENT_ROOTS, type EventType, hasPast } from '../../objects/event-types.js';
import { factsModel } from '../../facts/facts-model.js';
import { type DomainModel, objectModel } from '../../objects/object-model.js';

/**
 * Checks a topic's expression against the subject of its event type, and compiles it. The expression may use only
 * values that snapshots of events store. It may use CHANGED and WAS if events of the type store former values.
 * @param type  null when the type is unknown; datapaths may then begin with the subject of any event type
 * @param text  the expression; null, empty or blank matches every event of the type
 * @returns the compiled expression. Its `datapaths` must be stored as `TopicValues.datapaths`
 * @throws {DatapathSyntaxError} with the first syntax error
 * @throws {DatapathCheckError} with all invalid names and types
 * Source: docs/reference/expressions.md, "Checks" and "Roots".
 */
export function checkTopicExpression(
  type: EventType | null,
  text: string | null,
  model: DomainModel = objectModel,
): CompiledExpression {
  const roots = type === null ? [...new Set(Object.values(EVENT_ROOTS))] : [EVENT_ROOTS[type]];
  const options = { hasPast: type === null || hasPast(type) };
  return compileExpression(checkExpression(parseExpression(text ?? '', model), factsModel(model), roots, options));
}
