/**
 * A careers site: a list of postings, a page for applying with the questions of the vacancy, and the service's errors
 * next to their inputs. It is the program of docs/guides/forms-and-applying.md and uses only Node itself: it
 * can be copied anywhere, and sends the visitor's language with each request. So it does not use `@ats/client`.
 *
 * Its credential needs three scopes: `applications:create`, `postings:read` and `forms:read`. With a stolen
 * token, one can read what the site shows and apply, but can neither read nor change data about persons.
 */
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';

/** @typedef {{ status: number, body: any }} Answer */
/** @typedef {{ path: string, code: string, info?: string, item_id?: number, section_instance?: number }} Violation */
/** @typedef {(method: string, path: string, more?: { body?: object, key?: string }) => Promise<Answer>} Call */

/** Maps each property of the person to the label of its input. */
const PERSON = { firstname: 'First name', lastname: 'Last name', email: 'E-mail' };
const AGAIN = 'You have already applied for this job.';
/**
 * Texts for visitors by error code. They replace the service's `info` where it is absent, or names keys and conditions.
 */
const TEXTS = {
  missing: 'Please fill in this field.',
  not_visible: 'Please leave this empty. It does not belong to your other answers.',
};
/** Number of copies of a repeatable section that the page shows. */
const INSTANCES = 2;

/**
 * Creates the server of the careers site.
 * @param {{ ats: string, token: string }} options
 * @returns {import('node:http').Server} the site. It does not listen yet
 */
export const careersSite = ({ ats, token }) =>
  createServer(async (request, response) => {
    /** @type {Call} */
    const call = async (method, path, { body, key } = {}) => {
      const answer = await fetch(`${ats}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          // Requests labels and errors in the visitor's language. `*` avoids a 406 for languages that the service
          // lacks.
          'accept-language': `${request.headers['accept-language'] ?? 'en'}, *;q=0.1`,
          ...(body && { 'content-type': 'application/json' }),
          ...(key && { 'idempotency-key': key }),
        },
        ...(body && { body: JSON.stringify(body) }),
      });
      return { status: answer.status, body: await answer.json() };
    };
    try {
      const { status, html } = await respond(request, call);
      response.writeHead(status, { 'content-type': 'text/html; charset=utf-8' }).end(html);
    } catch (error) {
      console.error(error);
      response.writeHead(503, { 'content-type': 'text/html; charset=utf-8' }).end(page('Please try again later', ''));
    }
  });

/**
 * Answers a request of a visitor.
 * @param {import('node:http').IncomingMessage} request @param {Call} call
 */
async function respond(request, call) {
  const id = /^\/postings\/(\d+)$/.exec(request.url ?? '')?.[1];
  if (!id) return request.url === '/' ? list(call) : { status: 404, html: page('Not found', '') };
  const posting = (await expectOk(call('GET', `/postings?search=/id=${id}&search=/accepts_applications=true`)))[0];
  if (!posting) return { status: 404, html: page('This job is no longer open', '<a href="/">All jobs</a>') };
  const forms = await formsOf(posting, call);
  if (request.method !== 'POST') return { status: 200, html: applyPage({ posting, forms }) };
  return submit({ posting, forms, input: new URLSearchParams(await text(request)), call });
}

/**
 * Makes the page with the list of postings.
 * @param {Call} call
 */
async function list(call) {
  const postings = await expectOk(call('GET', '/postings?search=/accepts_applications=true&sort=title!asc'));
  const items = postings.map(({ id, title }) => `<li><a href="/postings/${id}">${escaped(title)}</a></li>`);
  return { status: 200, html: page('Jobs', `<ul>${items.join('\n')}</ul>`) };
}

/** Reads the forms of one vacancy and the forms of all vacancies, except forms that candidates must not see. */
const formsOf = ({ vacancy }, call) =>
  expectOk(call('GET', `/forms?resource=applications&opportunity_id=${vacancy.id}&search=/on_apply!=hidden`));

async function submit({ posting, forms, input, call }) {
  const items = inputsOf(forms).filter(({ name }) => input.get(name));
  const { status, body } = await call('POST', '/applications', {
    key: input.get('submission') ?? randomUUID(),
    body: {
      opportunity_id: posting.vacancy.id,
      posting_id: posting.id,
      source: 'careers site',
      candidate: Object.fromEntries(Object.keys(PERSON).map((name) => [name, input.get(name) || undefined])),
      on_existing_candidate: 'use',
      form_values: items.map(({ item, instance, name }) => ({
        item_id: item.id,
        section_instance: instance,
        value: valueOf(item, input.getAll(name)),
      })),
    },
  });
  if (status === 201) return { status: 200, html: page('Thank you', `Your application number is ${body.id}.`) };
  if (status !== 422) throw new Error(`POST /applications: ${status} ${JSON.stringify(body)}`);
  return { status: 422, html: applyPage({ posting, forms, input, errors: messages(body.errors, items) }) };
}

/**
 * Returns the error text of each input, by its name. Errors that concern no input are under `top`, for the top of the
 * page.
 * @param {Violation[]} errors
 * @param {{ name: string }[]} sent the inputs in the order of `form_values`
 * @returns {Record<string, string>}
 */
function messages(errors, sent) {
  /** @type {Record<string, string>} */
  const found = {};
  for (const { path, code, info, item_id, section_instance } of errors) {
    const [, index] = /^\/form_values\/(\d+)/.exec(path) ?? [];
    const [, property = ''] = /^\/candidate\/(\w+)/.exec(path) ?? [];
    let name = 'top';
    if (item_id) name = nameOf(item_id, section_instance);
    else if (index) name = sent[Number(index)]?.name ?? 'top';
    else if (property in PERSON) name = property;
    const again = path === '/opportunity_id' && code === 'already_exists';
    found[name] = [found[name], again ? AGAIN : (TEXTS[code] ?? info)].filter(Boolean).join(' ');
  }
  return found;
}

const nameOf = (id, instance) => `item-${id}-${instance}`;

/** Returns all inputs of the forms, in the order of the page. */
const inputsOf = (forms) =>
  forms
    .flatMap(({ sections }) => sections)
    .flatMap((section) =>
      Array.from({ length: section.repeatable ? INSTANCES : 1 }, (_, index) =>
        section.items.map((item) => ({ section, item, instance: index + 1, name: nameOf(item.id, index + 1) })),
      ),
    )
    .flat();

/** Converts the texts of an input to the type of its item. The service rejects a text that is no number. */
function valueOf({ type }, [first, ...others]) {
  if (type === 'multi_select') return [first, ...others];
  if (type === 'boolean') return first === 'true';
  if (type === 'datetime') return `${first}Z`;
  if (type === 'integer' || type === 'decimal') return Number.isNaN(Number(first)) ? first : Number(first);
  return first;
}

function applyPage({ posting, forms, input = new URLSearchParams(), errors = {} }) {
  const person = Object.entries(PERSON).map(([name, label]) => row({ name, label, type: 'text', input, errors }));
  const inputs = inputsOf(forms);
  const items = inputs.map(({ section, item, instance, name }, index) => {
    const isNew = inputs[index - 1]?.section !== section || inputs[index - 1]?.instance !== instance;
    const title = section.repeatable ? `${section.name} ${instance}` : section.name;
    const label = `${item.label}${item.required && !item.visible_if && instance === 1 ? ' *' : ''}`;
    return `${isNew ? `<h2>${escaped(title)}</h2>` : ''}${row({ ...item, name, label, input, errors })}`;
  });
  return page(
    posting.title,
    `<p>${escaped(posting.description)}</p>
<form method="post">${errors.top ? `<p class="error">${escaped(errors.top)}</p>` : ''}
<input type="hidden" name="submission" value="${escaped(input.get('submission') ?? randomUUID())}">
${[...person, ...items].join('\n')}
<button>Apply</button></form>`,
  );
}

const INPUT_TYPES = { date: 'date', datetime: 'datetime-local' };

/** Returns the HTML of one input with its label, the value that was submitted, and its error. */
function row({ name, label, type, options = [], input, errors }) {
  const values = input.getAll(name);
  const choices = type === 'boolean' ? ['true', 'false'].map((value) => ({ value, label: value })) : options;
  const control = type.endsWith('select') || type === 'boolean' ? select() : plain();
  const error = errors[name] ? `<em class="error" data-for="${name}">${escaped(errors[name])}</em>` : '';
  return `<label>${escaped(label)} ${control}${error}</label>`;

  function select() {
    const isChosen = ({ value }) => (values.includes(value) ? ' selected' : '');
    const shown = choices.map((o) => `<option value="${escaped(o.value)}"${isChosen(o)}>${escaped(o.label)}</option>`);
    const isMany = type === 'multi_select';
    const all = isMany ? shown : ['<option></option>', ...shown];
    return `<select name="${name}"${isMany ? ' multiple' : ''}>${all.join('')}</select>`;
  }
  function plain() {
    const value = escaped(values[0] ?? '');
    if (['textarea', 'rich_text'].includes(type)) return `<textarea name="${name}">${value}</textarea>`;
    return `<input name="${name}" type="${INPUT_TYPES[type] ?? 'text'}" value="${value}">`;
  }
}

/**
 * Returns the body of an answer with 200. Throws for any other status.
 * @param {Promise<Answer>} answer
 */
async function expectOk(answer) {
  const { status, body } = await answer;
  if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`);
  return body;
}

const ENTITIES = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escaped = (value) => String(value ?? '').replaceAll(/[&<>"']/g, (character) => ENTITIES[character]);

const STYLE = `body { font: 16px system-ui; max-width: 36rem; margin: 2rem auto; padding: 0 1rem }
h2 { font-size: 1.1rem }
label, input, select, textarea { display: block; width: 100%; box-sizing: border-box; font: inherit; margin: .3rem 0 }
.error { color: #b00020; display: block } button { font: inherit; padding: .4rem 1rem; margin-top: 1rem }`;

const page = (title, body) => `<!doctype html><html lang="en"><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>${escaped(title)}</title>
<style>${STYLE}</style>
<h1>${escaped(title)}</h1>${body}</html>`;
