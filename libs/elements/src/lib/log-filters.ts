import { html, type TemplateResult } from 'lit';
import { type DeliveryFilter, type ReadDeliveries, type Status } from './deliveries.js';
import { logText } from './delivery-texts.js';
import { type Language } from './languages.js';

const STATES = ['due', 'sending', 'delivered', 'held', 'exhausted', 'cancelled'] as const;

/** The names of the properties of the log that select deliveries. */
export const FILTERS = ['status', 'topic', 'eventType', 'since', 'until'] as const;

interface Choice {
  readonly name: string;
  readonly label: string;
  readonly value: string;
  readonly choices: readonly (readonly [value: string, text: string])[];
  readonly onChange: (value: string) => void;
}

const valueOf = (event: Event): string => (event.target as HTMLInputElement | HTMLSelectElement).value;

const choice = ({ name, label, value, choices, onChange }: Choice): TemplateResult => html`<label>${label}
  <select name=${name} @change=${(event: Event) => onChange(valueOf(event))}>
    ${choices.map(([one, text]) => html`<option value=${one} ?selected=${one === value}>${text}</option>`)}
  </select></label>`;

const MINUTE_MS = 60_000;

/** Returns a time for a field, in the time zone of the browser and without it: `2025-01-31T09:00`. */
function localTime(iso: string): string {
  const time = new Date(iso);
  if (Number.isNaN(time.getTime())) return '';
  return new Date(time.getTime() - time.getTimezoneOffset() * MINUTE_MS)
    .toISOString()
    .slice(0, 'yyyy-mm-ddThh:mm'.length);
}

const isoTime = (local: string): string => (local === '' ? '' : new Date(local).toISOString());

/** Returns the form fields for the conditions of the log. `onChange` gets the changed condition. */
export function logFilters(
  language: Language,
  conditions: DeliveryFilter,
  topics: ReadDeliveries['topics'],
  onChange: (values: Partial<DeliveryFilter>) => void,
): TemplateResult {
  const types = [...new Set(topics.map(({ type }) => type))];
  return html`<div class="filters">
      ${choice({
        name: 'status',
        label: logText(language, 'state'),
        value: conditions.status,
        onChange: (value) => onChange({ status: value as Status | '' }),
        choices: [
          ['', logText(language, 'allStates')],
          ...STATES.map((value) => [value, logText(language, `status.${value}`)] as const),
        ],
      })}
      ${choice({
        name: 'topic',
        label: logText(language, 'topic'),
        value: String(conditions.topic),
        onChange: (value) => onChange({ topic: Number(value) }),
        choices: [['0', logText(language, 'allTopics')], ...topics.map(({ id, name }) => [String(id), name] as const)],
      })}
      ${choice({
        name: 'event-type',
        label: logText(language, 'eventType'),
        value: conditions.eventType,
        onChange: (value) => onChange({ eventType: value }),
        choices: [['', logText(language, 'allTypes')], ...types.map((type) => [type, type] as const)],
      })}
      <span class="filters">${(['since', 'until'] as const).map(
        (name) => html`<label>${logText(language, name)}
          <input name=${name} type="datetime-local" .value=${localTime(conditions[name])}
            @change=${(event: Event) => onChange({ [name]: isoTime(valueOf(event)) })} /></label>`,
      )}</span>
    </div>`;
}
