import { EXPLAINED_STEPS, type JsonSchema } from '@ats/domain';

const strictObject = (properties: Readonly<Record<string, JsonSchema>>): JsonSchema => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
});
const list = (items: JsonSchema): JsonSchema => ({ type: 'array', items });
const text = (description: string): JsonSchema => ({ type: 'string', description });
const datapaths = (description: string): JsonSchema => ({ ...list({ type: 'string' }), description });
const values: JsonSchema = {
  type: 'object',
  additionalProperties: true,
  description: 'The values that it saw, by datapath.',
};

const previewedEvent = strictObject({
  event_id: { type: 'integer' },
  occurred_dt: { type: 'string', format: 'date-time' },
  subject: strictObject({ id: { type: 'integer' }, url: { type: ['string', 'null'], format: 'uri' } }),
  matched: { type: 'boolean' },
  values,
  not_recorded: datapaths(
    'Datapaths that the event does not carry, since no topic had asked for them when it happened: they count as null.',
  ),
});

/** What `POST …/preview` answers. Source: CONTRACT.md 8 and 11. */
export const PREVIEW_SCHEMA = {
  name: 'notification_topic_preview',
  schema: strictObject({
    evaluated: {
      type: 'integer',
      description:
        'How many events were looked at: fewer than asked for when there are no more, or they hold very much.',
    },
    matched: { type: 'integer', description: 'How many of them the expression selects.' },
    events: { ...list(previewedEvent), description: 'Newest first.' },
  }),
};

const EXPLANATION = 'notification_explanation';
const partReference = { $ref: `#/components/schemas/${EXPLANATION}/$defs/part` };

const part = strictObject({
  text: text('This part of the expression.'),
  values: {
    ...values,
    description: 'The values that it saw, by datapath; what is longer than 500 characters is cut and ends with `…`.',
  },
  result: { type: ['boolean', 'null'], description: 'Null when a value that decides is not stored.' },
  read_late: datapaths('Datapaths that the event did not carry: their values were read when it was matched.'),
  not_recorded: datapaths(
    'Datapaths without a stored value: nobody needed it when the event was matched, or it was a person’s and is anonymised.',
  ),
  parts: { anyOf: [{ type: 'null' }, list(partReference)], description: 'What an AND, OR or NOT is made of.' },
});

const verdict = strictObject({
  step: { type: 'string', enum: EXPLAINED_STEPS },
  ok: { type: ['boolean', 'null'], description: 'Whether the event passed; null when it cannot be said.' },
  info: text('For people.'),
  subscription: {
    anyOf: [{ type: 'null' }, strictObject({ id: { type: 'integer' }, url: { type: 'string', format: 'uri' } })],
    description: 'Whose window, status or delivery it is; null for what concerns the whole topic.',
  },
  parts: {
    anyOf: [{ type: 'null' }, list(partReference)],
    description: 'Of the expression: its parts, each with the values that it saw.',
  },
});

/** What `GET …/explain` answers. Source: CONTRACT.md 8 and 11. */
export const EXPLANATION_SCHEMA = {
  name: EXPLANATION,
  schema: {
    ...strictObject({
      event_id: { type: 'integer' },
      notified: {
        type: ['boolean', 'null'],
        description: 'Whether a destination has accepted the message; null when the log of that day is kept no more.',
      },
      verdicts: {
        ...list(verdict),
        description: 'Type and expression first, then window, status and delivery of each subscription.',
      },
    }),
    $defs: { part },
  },
};
