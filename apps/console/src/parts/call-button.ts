import { html, nothing, type TemplateResult } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { SERVICE_URL } from '../app/base.js';
import { t } from '../app/texts.js';
import { ConsoleElement } from '../app/view.js';
import { dialog } from './dialog.js';
import { copy } from './toast.js';

/** The API call that a view makes. */
export interface Call {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** The path below `/api/v1`, such as `/notification_topics/1`. */
  readonly path: string;
  /** The name of the function of `@ats/client`, such as `notificationTopicsGet`. */
  readonly operation: string;
  /** The values of the path parameters, by name. */
  readonly params?: Readonly<Record<string, string | number>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
}

const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** Returns the call as a curl command. The command has a variable for the token, so the token is never shown. */
export function asCurl({ method, path, query = {}, body }: Call): string {
  const entries = Object.entries(query).flatMap(([name, value]) => [value].flat().map((one) => [name, String(one)]));
  const search = new URLSearchParams(entries).toString();
  const lines = [
    `curl ${method === 'GET' ? '' : `-X ${method} `}${quote(`${SERVICE_URL}/api/v1${path}${search && `?${search}`}`)}`,
    `-H "Authorization: Bearer $ATS_TOKEN"`,
    ...(body === undefined ? [] : [`-H 'Content-Type: application/json'`, `-d ${quote(JSON.stringify(body))}`]),
  ];
  return lines.join(' \\\n  ');
}

/** Returns the call as a program that uses `@ats/client`. */
export function asTypeScript({ operation, params, query, body }: Call): string {
  const options = Object.entries({ path: params, query, body })
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `, ${name}: ${JSON.stringify(value)}`);
  return `import { createClient, ${operation} } from '@ats/client';

const client = createClient({ baseUrl: '${SERVICE_URL}', token: process.env.ATS_TOKEN ?? '' });
const { data } = await ${operation}({ client${options.join('')} });
`;
}

/** A button that shows the API call behind a view. */
@customElement('ats-call-button')
export class CallButton extends ConsoleElement {
  @property({ attribute: false }) call: Call | undefined;
  @state() private isOpen = false;

  protected override render(): TemplateResult {
    const { call } = this;
    return html`
      <button type="button" class="quiet" @click=${() => (this.isOpen = true)}>${t('showCall')}</button>
      ${
        this.isOpen && call
          ? dialog({
              title: t('showCall'),
              close: () => (this.isOpen = false),
              content: [
                ['curl', asCurl(call)],
                ['TypeScript', asTypeScript(call)],
              ].map(
                ([name = '', text = '']) => html`
                  <section>
                    <header class="row"><h3>${name}</h3>
                      <button type="button" aria-label=${`${t('copy')}: ${name}`}
                        @click=${() => void copy(text)}>${t('copy')}</button>
                    </header>
                    <pre tabindex="0" dir="ltr">${text}</pre>
                  </section>
                `,
              ),
            })
          : nothing
      }
    `;
  }
}
