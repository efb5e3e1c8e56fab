/**
 * Tries a careers site against a running service: it makes a vacancy, a posting, a form and a credential with narrow
 * scopes, serves the site of `careers-site/site.mjs`, and uses the site like visitors do.
 *
 *   node tools/try/careers-site.mjs           tries everything. Exits with 0, or with 1 at the first deviation
 *   node tools/try/careers-site.mjs --serve   serves the site on PORT (default 4002) until Ctrl-C
 *
 * ATS is the address of the API, TOKEN a token. It needs every scope, except for `--serve`, where the three scopes in
 * `site.mjs` are enough.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { applicationsDelete, applicationsList, candidatesList, createClient } from '@ats/client';
import { careersSite } from './careers-site/site.mjs';

const { ATS: ats = 'http://localhost:3000/api/v1', TOKEN = '', PORT = '4002' } = process.env;
if (!TOKEN) throw new Error('set TOKEN to a token of the API');

const client = createClient({ baseUrl: ats, token: TOKEN });

if (process.argv.includes('--serve')) {
  careersSite({ ats, token: TOKEN }).listen(Number(PORT), '127.0.0.1');
  console.log(`careers site at http://127.0.0.1:${PORT}/`);
} else {
  await tryEverything();
}

async function tryEverything() {
  const { vacancy, posting, items, token } = await prepare();
  const server = careersSite({ ats, token }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  const site = `http://127.0.0.1:${port}`;
  const path = `/postings/${posting.id}`;
  try {
    const list = await visit(site);
    assert.ok(list.html.includes(`href="${path}"`), 'the list has no link to the posting');
    console.log('the list shows the posting');

    const form = await visit(site + path, { language: 'de' });
    assert.ok(form.html.includes('Haben Sie einen Führerschein?'), 'the label is not in German');
    assert.ok(form.html.includes(`name="item-${items.employer}-2"`), 'the repeatable section is shown once');
    console.log('the form is in the language of the visitor');

    const wrong = await visit(site + path, {
      form: { firstname: 'Robin', email: 'robin@example', [`item-${items.employer}-2`]: 'x'.repeat(81) },
    });
    assert.equal(wrong.status, 422);
    const { licence, since, employer } = items;
    const invalid = [`item-${licence}-1`, `item-${since}-1`, `item-${employer}-2`];
    assert.deepEqual(wrong.errors, ['email', ...invalid, 'lastname']);
    assert.ok(wrong.html.includes('value="Robin"'), 'the page forgets what the visitor typed');
    console.log('wrong answers have their errors next to the inputs');

    const email = `Robin.${Date.now()}@example.com`;
    const right = { firstname: 'Dorothy', lastname: 'Vaughan', email, submission: `first-${Date.now()}` };
    const answers = { [`item-${items.licence}-1`]: 'car', [`item-${items.since}-1`]: '2019-05-01' };
    const first = await visit(site + path, { form: { ...right, ...answers } });
    assert.equal(first.status, 200, first.html);
    const twice = await visit(site + path, { form: { ...right, ...answers } });
    assert.equal(twice.html, first.html, 'a second click made a second application');
    console.log('a new person applies; a second click changes nothing');

    const again = await visit(site + path, { form: { ...right, ...answers, submission: `again-${Date.now()}` } });
    assert.equal(again.status, 422);
    assert.ok(again.html.includes('You have already applied for this job.'), again.html);
    console.log('a second application for the same job is refused');

    const other = await makeVacancy();
    const known = await visit(`${site}/postings/${other.posting.id}`, {
      form: { ...right, email: email.toLowerCase(), submission: `known-${Date.now()}` },
    });
    assert.equal(known.status, 200, known.html);
    const people = await api('GET', `/candidates?search=/email=${email}`);
    assert.equal(people.length, 1);
    const applications = await api('GET', `/applications?search=/user/id=${people[0].id}`);
    assert.deepEqual(
      applications.map(({ opportunity_id }) => opportunity_id),
      [vacancy.id, other.vacancy.id],
    );
    console.log('a known person applies for another job, as the same person');

    await api('PUT', `/vacancies/${vacancy.id}/state`, { state: 'on_hold' });
    assert.ok(!(await visit(site)).html.includes(`href="${path}"`), 'the list shows a posting of a closed vacancy');
    assert.equal((await visit(site + path)).status, 404);
    console.log('a vacancy that is on hold leaves the list');

    const limited = createClient({ baseUrl: ats, token });
    for (const call of [
      () => applicationsList({ client: limited }),
      () => candidatesList({ client: limited }),
      () => applicationsDelete({ client: limited, path: { id: applications[0].id } }),
    ])
      await assert.rejects(call, { status: 403 }, `${call} is allowed, but the token of the site must not permit it`);
    console.log('the token of the site can neither read persons nor delete anything');
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

/** Carries out the sections 1 and 2 of docs/guides/forms-and-applying.md. */
async function prepare() {
  const { vacancy, posting } = await makeVacancy();
  const { recruiter } = await api('GET', '/me');
  const { token } = await api('POST', '/credentials', {
    name: 'Careers site',
    scopes: ['applications:create', 'postings:read', 'forms:read'],
    recruiter_id: recruiter.id,
  });
  const form = await api('POST', '/forms', {
    name: 'Driving',
    resource: 'applications',
    opportunity_ids: [vacancy.id],
    on_apply: 'required',
    sections: [
      {
        name: 'Licence',
        items: [
          {
            key: 'licence',
            label: { en: 'Do you have a licence?', de: 'Haben Sie einen Führerschein?' },
            type: 'single_select',
            required: true,
            options: [{ value: 'none' }, { value: 'car' }],
          },
          {
            key: 'since',
            label: 'Since when?',
            type: 'date',
            required: true,
            visible_if: 'application.formdata.licence != "none"',
          },
        ],
      },
      {
        name: 'Earlier jobs',
        repeatable: true,
        items: [{ key: 'employer', label: 'Employer', type: 'text', validation: { max_length: 80 } }],
      },
    ],
  });
  const all = form.sections.flatMap((section) => section.items);
  return { vacancy, posting, token, items: Object.fromEntries(all.map(({ key, id }) => [key, id])) };
}

async function makeVacancy() {
  const vacancy = await api('POST', '/vacancies', { title: 'Driver' });
  await api('PUT', `/vacancies/${vacancy.id}/state`, { state: 'open' });
  const board = await api('POST', '/job_boards', { name: 'Careers site', code: `careers-${vacancy.id}` });
  const posting = await api('POST', '/postings', {
    vacancy_id: vacancy.id,
    job_board_id: board.id,
    title: `Driver <${vacancy.id}>`,
    opening_date: '2020-01-01',
  });
  return { vacancy, posting };
}

/** Opens a page of the site, or submits its form. `errors` has the names of the inputs with an error, sorted. */
async function visit(url, { form, language = 'en' } = {}) {
  const answer = await fetch(url, {
    headers: { 'accept-language': language },
    ...(form && { method: 'POST', body: new URLSearchParams(form) }),
  });
  const html = await answer.text();
  return {
    status: answer.status,
    html,
    errors: [...html.matchAll(/data-for="([^"]+)"/g)].map(([, name]) => name).sort(),
  };
}

async function api(method, path, body) {
  const { data } = await client.request({ method, url: `/api/v1${path}`, body, throwOnError: true });
  return data;
}
