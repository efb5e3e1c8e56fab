import {
  checkExpression,
  compileExpression,
  type CompiledExpression,
  type ObjectModel,
  parseExpression,
} from '@ats/datapath';
import { EVENT_ROOTS, type EventType } from '../../objects/event-types.js';
import { objectModel } from '../../objects/object-model.js';

/**
 * Checks a topic's expression against what events of its type are about, and makes it ready to run.
 * @param text  null, empty or blank: every event of the type
 * @returns also the canonical datapaths it needs, which belong into `TopicValues.datapaths`
 * @throws {DatapathSyntaxError} with the first fault of the text
 * @throws {DatapathCheckError} with all faults of names and types
 * Source: SPEC.md 6.3; the root of each type is CONTRACT.md 6.
 */
export function checkTopicExpression(
  type: EventType,
  text: string | null,
  model: ObjectModel = objectModel,
): CompiledExpression {
  return compileExpression(checkExpression(parseExpression(text ?? ''), model, [EVENT_ROOTS[type]]));
}
