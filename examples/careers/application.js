// @ts-check
import { element } from './dom.js';
import { field, showVisible, valueOf } from './fields.js';

/** Shortest time between reading the form and sending the application. The service refuses earlier applications. */
const LEAST_MS = 2_000;
const FILES = { cv: 'CV', cover_letter: 'Cover letter' };
const PERSON = { firstname: 'First name', lastname: 'Last name', email: 'E-mail' };

/**
 * Makes the form of a posting.
 * @param {{ url: string, documents_url: string, token: string, schema: any }} read the form as the service describes it
 * @param {() => void} onReceived
 */
export function applicationForm({ url, documents_url, token, schema }, onReceived) {
  const readAt = Date.now();
  const { candidate, answers } = schema.properties;
  const form = element(
    'form',
    { novalidate: true },
    ...Object.entries(PERSON).map(([name, title]) =>
      field(`/candidate/${name}`, { ...candidate.properties[name], title }, candidate.required.includes(name)),
    ),
    ...Object.entries(FILES).map(([kind, title]) => fileField(kind, title)),
    ...Object.entries(answers.properties).map(([name, section]) => sectionFields(name, /** @type {any} */ (section))),
    // A hidden field. Programs that send spam fill it in, and the service drops their applications.
    element('label', { class: 'website', 'aria-hidden': 'true' }, element('input', { name: 'website', tabindex: '-1' })),
    element('p', { class: 'error summary', role: 'alert' }),
    element('button', {}, 'Apply'),
  );
  showVisible(form);
  form.addEventListener('input', () => showVisible(form));
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void submit();
  });

  /** The tokens of uploaded files. A second attempt does not upload them again. @type {WeakMap<File, string>} */
  const uploaded = new WeakMap();

  async function submit() {
    const button = /** @type {HTMLButtonElement} */ (form.querySelector('button'));
    button.disabled = true;
    for (const error of form.querySelectorAll('.error')) error.textContent = '';
    try {
      await new Promise((resolve) => setTimeout(resolve, readAt + LEAST_MS - Date.now()));
      await send();
    } catch {
      showError('', 'The service cannot be reached. Please try again.');
    } finally {
      button.disabled = false;
    }
  }

  async function send() {
    const files = [...form.querySelectorAll('input[type=file]')].flatMap((input) => {
      const [file] = /** @type {HTMLInputElement} */ (input).files ?? [];
      return file ? [{ file, kind: input.id }] : [];
    });
    const sent = await Promise.all(files.map(({ file, kind }) => upload(file, kind)));
    if (sent.includes(false)) return;
    const documents = files.map(({ file }) => uploaded.get(file));
    const website = /** @type {HTMLInputElement} */ (form.querySelector('[name=website]')).value;
    const body = { candidate: {}, ...values(), documents, token, website };
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (response.ok) return onReceived();
    const { message, errors = [] } = await response.json();
    if (errors.length === 0) showError('', message);
    for (const { path, info, code } of errors) {
      const [, index] = /^\/documents\/(\d+)$/.exec(path) ?? [];
      const text = code === 'missing' ? 'Please fill in this field.' : (info ?? code);
      showError(index === undefined ? path : `/documents/${files[Number(index)]?.kind}`, text);
    }
  }

  /**
   * Uploads a file, unless it was uploaded before. Shows the error of a refused file.
   * @param {File} file
   * @param {string} kind
   * @returns {Promise<boolean>} false when the service refuses the file
   */
  async function upload(file, kind) {
    if (uploaded.has(file)) return true;
    const query = new URLSearchParams({ kind, name: file.name, token });
    const response = await fetch(`${documents_url}?${query}`, { method: 'POST', body: file });
    const { document: name, message, errors } = await response.json();
    if (response.ok) uploaded.set(file, name);
    else showError(`/documents/${kind}`, errors?.[0]?.info ?? message);
    return response.ok;
  }

  /** Returns the values of all fields except files. Each value is at the JSON pointer of its field. */
  function values() {
    /** @type {any} */
    const body = {};
    for (const one of form.querySelectorAll('[data-path]')) {
      const value = one.querySelector('[type=file]') ? undefined : valueOf(one);
      if (value === undefined) continue;
      const names = (one.getAttribute('data-path') ?? '').slice(1).split('/');
      const last = names.pop() ?? '';
      let at = body;
      for (const [index, name] of names.entries())
        at = at[name] ??= /^\d+$/.test(names[index + 1] ?? '') ? [] : {};
      at[last] = value;
    }
    // A list element that has no answers but stands before others is sent as an empty object.
    for (const [name, section] of Object.entries(body.answers ?? {}))
      if (Array.isArray(section)) body.answers[name] = Array.from(section, (element) => element ?? {});
    return body;
  }

  /**
   * Shows an error next to its field, or next to the button when it belongs to no field.
   * @param {string} path
   * @param {string} text
   */
  function showError(path, text) {
    const place = form.querySelector(`[data-path="${CSS.escape(path)}"]:not([hidden]) .error`);
    const shown = place ?? form.querySelector('.summary');
    if (shown) shown.textContent = [shown.textContent, text].filter(Boolean).join('; ');
    if (place) /** @type {HTMLElement | null} */ (form.querySelector('.error:not(:empty)'))?.scrollIntoView?.();
  }

  return form;
}

/**
 * Makes a field for a file of one kind.
 * @param {string} kind
 * @param {string} title
 */
function fileField(kind, title) {
  const error = element('p', { class: 'error', id: `${kind}-error`, role: 'alert' });
  const input = element('input', { type: 'file', id: kind, 'aria-describedby': error.id });
  return element('div', { class: 'field', 'data-path': `/documents/${kind}` }, element('label', { for: kind }, title), input, error);
}

/**
 * Makes the fields of one section of a form.
 * @param {string} name
 * @param {any} section
 */
function sectionFields(name, section) {
  const path = `/answers/${name}`;
  const set = element('fieldset', {}, element('legend', {}, section.title));
  if (section.type !== 'array') {
    set.append(...questions(path, section));
    return set;
  }
  let count = 0;
  const add = element('button', { type: 'button' }, 'Add another');
  const addOne = () => add.before(...questions(`${path}/${count++}`, section.items));
  set.append(add);
  addOne();
  add.addEventListener('click', addOne);
  return set;
}

/**
 * Makes the fields of the questions below a JSON pointer.
 * @param {string} path
 * @param {any} schema
 */
const questions = (path, { properties }) =>
  Object.entries(properties).map(([name, item]) =>
    field(`${path}/${name}`, /** @type {any} */ (item), /** @type {any} */ (item)['x-required'] === true),
  );
