import {
  type DatapathEntry,
  createLanguageService,
  formatViolation,
  type LanguageService,
  loadCatalogueModel,
} from '@ats/datapath';
import { DATAPATH_SYNTAX } from '@ats/domain';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { OPTIONS } from '../support/form-factories.js';
import { useApi } from '../support/use-api.js';

const { api, make, forms } = useApi();

/** Reads all datapaths of the catalogue below a prefix, page by page. */
async function list(token: string, prefix: string): Promise<readonly DatapathEntry[]> {
  const entries: DatapathEntry[] = [];
  for (let page = 1; ; page++) {
    const { status, json } = await api.get(`/datapaths?prefix=${prefix}&per_page=1000&page=${page}`, { token });
    expect([prefix, status]).toEqual([prefix, 200]);
    const found = json as readonly DatapathEntry[];
    entries.push(...found);
    if (found.length < 1000) return entries;
  }
}

let token: string;
let service: LanguageService;
let item: number | undefined;

beforeAll(async () => {
  token = await make.token('notifications:write', '*:read');
  item = (await forms.itemsOf({ item: { type: 'single_select', options: OPTIONS } })).item;
  const model = await loadCatalogueModel(
    (prefix) => list(token, prefix),
    ['application'],
    'expressions',
    DATAPATH_SYNTAX,
  );
  service = createLanguageService(model, ['application']);
});

describe('the language service with the model of the catalogue', () => {
  test.each([
    'application.rating > 3',
    'application.main_process_state.state.state == "interview" AND application.opportunity.location == "Berlin"',
    'application.created_dt >= DATE("today") - DTDURATION(7,0,0,0)',
    'application.user.lastname =~ "m" OR NOT application.outcome IN {"declined"}',
    'application.ratng > 3',
    'application.rating == "3"',
    'application.main_process_state.state.state == "intervew"',
    'application.user == 1',
    'application.user.firstname > ',
    'application.rating = 3',
    'application.formdata.99999999 == "x"',
    'applications.rating > 3',
    'application.created_dt > "soon"',
  ])('finds the same violations as the service in %s', async (expression) => {
    const body = { type: 'STATE_CHANGE_APPLICATION', name: 'Topic', expression };
    const { status, json } = await api.post('/notification_topics', body, { token });
    const found = service.diagnose(expression);
    expect([expression, found.length === 0]).toEqual([expression, status < 300]);
    for (const violation of found) expect(JSON.stringify(json)).toContain(JSON.stringify(formatViolation(violation)));
  });

  test('suggests form items with their labels, and the values of closed lists', () => {
    const text = 'application.formdata.';
    const items = service.complete(text, text.length).items;
    expect(items.map((one) => one.text)).toContain(String(item));
    const states = 'application.main_process_state.state.state == ';
    expect(service.complete(states, states.length).items.map((one) => one.text)).toContain('"interview"');
  });
});
