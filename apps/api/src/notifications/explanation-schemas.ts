import { EXPLAINED_STEPS, type JsonSchema } from '@ats/domain';
import { strictObject } from '../vocabulary/operation.js';

const list = (items: JsonSchema): JsonSchema => ({ type: 'array', items });
const text = (description: string): JsonSchema => ({ type: 'string', description });
const datapaths = (description: string): JsonSchema => ({ ...list({ type: 'string' }), description });
const values: JsonSchema = {
  type: 'object',
  additionalProperties: true,
  description: 'The values on which the expression was evaluated, by datapath.',
};

const previewedEvent = strictObject({
  event_id: { type: 'integer' },
  occurred_dt: { type: 'string', format: 'date-time' },
  subject: strictObject({ id: { type: 'integer' }, url: { type: ['string', 'null'], format: 'uri' } }),
  matched: {
    type: ['boolean', 'null'],
    description: 'True when the expression holds. Null when the result depends on a value in `not_recorded`.',
  },
  values,
  not_recorded: datapaths(
    'Datapaths without a stored value: no topic used them at that time, or the value was anonymised later.',
  ),
});

/** The answer of `POST …/preview`. Source: docs/reference/notifications.md, "Preview". */
export const PREVIEW_SCHEMA = {
  name: 'notification_topic_preview',
  schema: strictObject({
    evaluated: {
      type: 'integer',
      description: `Number of events that were evaluated. It is below \`limit\` when there are fewer events, or when
the evaluation stopped early, because the events were large or took long.`,
    },
    matched: { type: 'integer', description: 'Number of evaluated events that match.' },
    unknown: {
      type: 'integer',
      description: 'Number of evaluated events for which the result is unknown, because a value is not stored.',
    },
    events: { ...list(previewedEvent), description: 'The evaluated events, newest first.' },
  }),
};

const EXPLANATION = 'notification_explanation';
/** A reference to the schema of a part. The OpenAPI document has this schema as a component. */
const partReference = { $ref: `#/components/schemas/${EXPLANATION}_part` };

const part = strictObject({
  text: text('The text of this part of the expression.'),
  values: {
    ...values,
    description: `The values on which the part was evaluated, by datapath. Values longer than 500 characters are cut
and end with \`…\`.`,
  },
  result: {
    type: ['boolean', 'null'],
    description: 'True when the part holds. Null when the result depends on a value that is not stored.',
  },
  read_late: datapaths('Datapaths without a value in the event. Their values were read when the event was matched.'),
  not_recorded: datapaths(
    'Datapaths without a stored value: the value was not needed for matching, or was anonymised later.',
  ),
  parts: {
    anyOf: [{ type: 'null' }, list(partReference)],
    description: 'The operands of an AND, OR or NOT. Null for other parts.',
  },
});

const verdict = strictObject({
  step: { type: 'string', enum: EXPLAINED_STEPS },
  ok: { type: ['boolean', 'null'], description: 'True when the event passed this step. Null when that is unknown.' },
  info: text('The reason, as a text for people.'),
  subscription: {
    anyOf: [{ type: 'null' }, strictObject({ id: { type: 'integer' }, url: { type: 'string', format: 'uri' } })],
    description: 'The subscription of the step. Null for steps that concern the whole topic.',
  },
  parts: {
    anyOf: [{ type: 'null' }, list(partReference)],
    description: 'For the step of the expression, its parts with their values. Null for other steps.',
  },
});

/** The answer of `GET …/explain`. Source: docs/reference/notifications.md, "Explanations". */
export const EXPLANATION_SCHEMA = {
  name: EXPLANATION,
  schema: {
    ...strictObject({
      event_id: { type: 'integer' },
      notified: {
        type: ['boolean', 'null'],
        description:
          'True when a destination has accepted the message. Null when the delivery log of that day was deleted.',
      },
      verdicts: {
        ...list(verdict),
        description:
          'The steps `type` and `expression` for the topic, and then the steps `window`, `status` and `delivery` for ' +
          'each subscription.',
      },
    }),
    $defs: { part },
  },
};
