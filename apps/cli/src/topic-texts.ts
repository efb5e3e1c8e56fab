import {
  type NotificationExplanation,
  type NotificationExplanationPart,
  type NotificationTopicPreview,
} from '@ats/client';
import { textOf } from './output.js';

type Values = Readonly<Record<string, unknown>>;

const result = (value: boolean | null, [yes, no]: readonly [string, string]): string =>
  value === null ? 'unknown' : value ? yes : no;

const valueLines = (values: Values, notRecorded: readonly string[], indent: string): string =>
  [
    ...Object.entries(values)
      .filter(([path]) => !notRecorded.includes(path))
      .map(([path, value]) => `${indent}${path} is ${JSON.stringify(value) ?? 'missing'}`),
    ...notRecorded.map((path) => `${indent}${path} was not stored with the event`),
  ]
    .map((line) => `${textLine(line)}\n`)
    .join('');

/** Returns a line that cannot control a terminal. It keeps the spaces at its beginning. */
const textLine = (line: string): string => `${/^ */.exec(line)?.[0] ?? ''}${textOf(line.trimStart())}`;

/** Returns the result of a preview as text for people: each event, whether it matches, and the values that decide. */
export function previewText(
  { type, expression }: { readonly type: string; readonly expression: string | null },
  { evaluated, matched, unknown, events }: NotificationTopicPreview,
): string {
  const head = [
    `type        ${textOf(type)}`,
    `expression  ${textOf(expression) || '(none: every event of the type matches)'}`,
    `matched     ${matched} of ${evaluated === 1 ? '1 event' : `the last ${evaluated} events`}${unknown > 0 ? `, ${unknown} unknown` : ''}`,
  ].join('\n');
  const lines = events.map(
    ({ event_id: id, occurred_dt: at, subject, matched: matches, values, not_recorded: lost }) => {
      const about = subject.url ?? `subject ${subject.id}`;
      const outcome = result(matches, ['matches', 'does not match']);
      return `\nevent ${id}  ${textOf(at)}  ${textOf(about)}  ${outcome}\n${valueLines(values, lost, '  ')}`;
    },
  );
  return `${head}\n${lines.join('')}`;
}

/** Returns an explanation as text for people: one line for each step, and below it the parts of the expression. */
export function explanationText({ event_id: id, notified, verdicts }: NotificationExplanation): string {
  const head = `event ${id}: ${result(notified, ['notified', 'not notified'])}\n`;
  const steps = verdicts.map(({ step, ok, info, subscription, parts }) => {
    const of = subscription ? ` of subscription ${subscription.id}` : '';
    const line = `${result(ok, ['yes', 'no']).padEnd(8)}${textOf(step)}${of}: ${textOf(info)}\n`;
    return line + (parts ?? []).map((part) => partText(part, '        ')).join('');
  });
  return head + steps.join('');
}

function partText(part: NotificationExplanationPart, indent: string): string {
  const { text, result: holds, values, not_recorded: lost, parts } = part;
  const line = `${indent}${result(holds, ['true', 'false'])}: ${textOf(text)}\n`;
  const inner = parts?.map((one) => partText(one, `${indent}  `)).join('');
  return line + (inner ?? valueLines(values, lost, `${indent}  `));
}
