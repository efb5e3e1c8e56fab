// @group long: packs the command line, and installs it into an empty folder
import { join } from 'node:path';
import { Client as Assistant } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { describe, expect, it } from '@jest/globals';
import { type Item } from './support/api-client.js';
import { useInstalledCli } from './support/installed-cli.js';

const setup = useInstalledCli();

describe('ats mcp', () => {
  /** Connects an assistant with a credential that has only these scopes. */
  async function assistantWith(...scopes: readonly string[]): Promise<Assistant> {
    const assistant = new Assistant({ name: 'test', version: '1' });
    const env = {
      ATS_URL: setup.service.client.baseUrl,
      ATS_TOKEN: await setup.tokenWith(...scopes),
      PATH: process.env['PATH'] ?? '',
    };
    await assistant.connect(new StdioClientTransport({ command: join(setup.cli.bin, 'ats'), args: ['mcp'], env }));
    return assistant;
  }
  const call = async (assistant: Assistant, name: string, given: Record<string, unknown> = {}) => {
    const { isError, content } = await assistant.callTool({ name, arguments: given });
    const [{ text = '' } = {}] = content as readonly { text?: string }[];
    return { isError: isError === true, text };
  };

  it('offers only tools that read', async () => {
    const assistant = await assistantWith('vacancies:read');
    const { tools } = await assistant.listTools();
    await assistant.close();
    expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(['list_items', 'get_item', 'explain_event']));
    for (const { name, annotations } of tools) expect([name, annotations?.readOnlyHint]).toEqual([name, true]);
  });

  it('lists collections with and without pages', async () => {
    const assistant = await assistantWith('vacancies:read', 'notifications:read');
    for (const collection of ['processes', 'scopes', 'schemas', 'event_types', 'vacancies']) {
      const { isError, text } = await call(assistant, 'list_items', { collection, per_page: 1 });
      expect([collection, isError]).toEqual([collection, false]);
      expect((JSON.parse(text) as readonly unknown[]).length).toBeLessThanOrEqual(1);
    }
    await assistant.close();
  });

  it('shows its credential, the datapaths and the event types', async () => {
    const assistant = await assistantWith('vacancies:read');
    const shown = async (name: string, given?: Record<string, unknown>): Promise<unknown> =>
      JSON.parse((await call(assistant, name, given)).text);
    expect(await shown('who_am_i')).toMatchObject({ scopes: ['vacancies:read'] });
    const paths = (await shown('list_datapaths', { root: 'vacancy', q: 'title' })) as readonly Item[];
    expect(paths).toContainEqual(expect.objectContaining({ path: 'vacancy.title' }));
    const types = (await shown('list_event_types')) as readonly Item[];
    expect(types).toContainEqual(expect.objectContaining({ type: 'VACANCY_CREATE', root: 'vacancy' }));
    await assistant.close();
  });

  it('never returns more than the scopes of the credential allow', async () => {
    const { id: person } = await setup.service.client.post('/candidates', {
      firstname: 'Hidden',
      lastname: 'Zebrowska',
      email: 'zebrowska@example.com',
    });
    const { id: vacancy } = await setup.service.client.put(
      `/vacancies/${(await setup.service.client.post('/vacancies', { title: 'Gardener' })).id}/state`,
      { state: 'open' },
    );
    const { id: application } = await setup.service.client.post('/applications', {
      opportunity_id: vacancy,
      user_id: person,
    });
    const topic = await setup.service.client.post('/notification_topics', {
      type: 'CANDIDATE_CREATE',
      name: 'T',
      expression: 'candidate.lastname == "Zebrowska"',
    });
    const [event] = await setup.service.client.get<Item[]>('/notification_events?type=CANDIDATE_CREATE&sort=id!desc');
    const assistant = await assistantWith('vacancies:read', 'notifications:read');
    const allowed = await call(assistant, 'get_item', { collection: 'vacancies', id: vacancy });
    expect(allowed).toMatchObject({ isError: false, text: expect.stringContaining('Gardener') });

    const attempts: readonly (readonly [string, Record<string, unknown>])[] = [
      ['list_items', { collection: 'candidates' }],
      ['list_items', { collection: 'users' }],
      ['list_items', { collection: 'applications' }],
      ['get_item', { collection: 'candidates', id: person }],
      ['get_item', { collection: 'vacancy_applications', id: application }],
      ['list_items', { collection: `vacancy_applications/${application}/history` }],
      ['count_items', { collection: 'applications', by: 'application.user.lastname' }],
      ['list_items', { collection: 'vacancies', search: ['vacancy.applications.user.lastname=Zebrowska'] }],
      ['test_topic', { type: 'CANDIDATE_CREATE', expression: 'candidate.lastname == "Zebrowska"' }],
      ['explain_event', { topic_id: topic.id, event_id: event?.id }],
      ['list_changes', { since: '2026-01-01T00:00:00Z', resources: 'candidates' }],
    ];
    for (const [name, given] of attempts) {
      const { isError, text } = await call(assistant, name, given);
      expect([name, given, isError]).toEqual([name, given, true]);
      expect(text).not.toMatch(/zebrowska@|Hidden/i);
    }
    for (const collection of ['notification_topics', 'notification_events', 'vacancies'])
      expect((await call(assistant, 'list_items', { collection })).text).not.toMatch(/zebrowska/i);
    const checked = await call(assistant, 'check_expression', { expression: 'candidate.lastname == "x"' });
    expect(checked.text).toContain('unknown_root');
    await assistant.close();
  });

  it('shows no secrets, and refuses paths that do not name a collection', async () => {
    const endpoint = await setup.service.client.post('/notification_endpoints', {
      name: 'E',
      destination_url: 'https://e.example.com/hook',
      custom_headers: { authorization: 'Bearer hidden-value' },
    });
    const assistant = await assistantWith('*:read', 'notifications:admin');
    const { text, isError } = await call(assistant, 'get_item', {
      collection: 'notification_endpoints',
      id: endpoint.id,
    });
    expect({ isError, key: (JSON.parse(text) as Item)['signing_key'] }).toEqual({ isError: false, key: null });
    expect(text).not.toContain('hidden-value');
    for (const collection of ['../oauth', 'candidates/../me', 'candidates?page=1', 'Me'])
      expect((await call(assistant, 'list_items', { collection })).isError).toBe(true);
    await assistant.close();
  });
});
