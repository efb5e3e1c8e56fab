import { describe, expect, it } from '@jest/globals';
import { useApi } from '../support/use-api.js';

const { api } = useApi();

const infosOf = (answer: { readonly problem: { readonly errors?: readonly { readonly info?: string }[] } }): string =>
  (answer.problem.errors ?? []).map(({ info = '' }) => info.split('\n')[0]).join(' | ');

const query = async (collection: string, parameter: string, text: string): Promise<string> =>
  infosOf(await api.get(`/${collection}?${parameter}=${encodeURIComponent(text)}`));

describe('a search with two equals signs', () => {
  it.each([
    ['/process_state/state==interview', 'write =, or {=interview} for a value that begins with ='],
    ['source!==x', 'write !=, or {=x} for a value that begins with ='],
  ])('is refused with a hint: %s', async (text, hint) => {
    expect(await query('applications', 'search', text)).toContain(hint);
  });

  it('is allowed when the second one begins a value in braces', async () => {
    expect((await api.get('/applications?search=source={=x}')).status).toBe(200);
  });
});

describe('a value outside a closed list', () => {
  it.each([
    [
      'applications',
      '/process_state/state=hird',
      '"hird" is not a value of /process_state/state (at 22 of "/process_state/state=hird"); did you mean "hired"? The values are submitted, in_review, assessment, interview, offer_made, offer_accepted, on_hold, hired, rejected, withdrawn, registered, waitlisted, confirmed, attended, no_show, declined, cancelled',
    ],
    [
      'vacancies',
      'vacancy.state.state!=hired',
      '"hired" is not a value of vacancy.state.state (at 22 of "vacancy.state.state!=hired"); the values are draft, open, on_hold, closed, filled, completed, cancelled, archived',
    ],
    [
      'applications',
      '/outcome=rejected',
      '"rejected" is not a value of /outcome (at 10 of "/outcome=rejected"); the values are pending, hired, declined, withdrawn, attended, no_show',
    ],
    [
      'postings',
      '/status=open',
      '"open" is not a value of /status (at 9 of "/status=open"); the values are scheduled, live, expired, withdrawn',
    ],
    [
      'users',
      'language=EN',
      '"EN" is not a value of language (at 10 of "language=EN"); did you mean "en"? The values are en, de, fr, es, ar',
    ],
    [
      'credentials',
      '/scopes/*=application:read',
      '"application:read" is not a value of /scopes/* (at 11 of "/scopes/*=application:read"); the nearest values are applications:read, applications:create, applications:write',
    ],
    [
      'credentials',
      '/api_version=2.0',
      '"2.0" is not a value of /api_version (at 14 of "/api_version=2.0"); the values are 1.2, 1.3, 1.4, 1.5, 1.6, 1.7, 1.8, 1.9',
    ],
    ['job_boards', 'is_active=yes', 'expected true or false, found "yes" (at 11 of "is_active=yes")'],
  ])('of %s is explained: %s', async (collection, text, info) => {
    expect(await query(collection, 'search', text)).toBe(info);
  });
});

describe('an unknown name', () => {
  const meant = (name: string): unknown => expect.stringContaining(`did you mean "${name}"?`);

  it.each([
    ['applications', 'search', 'application.process_state=1', 'application.main_process_state'],
    ['applications', 'search', 'process_state.state=hired', 'main_process_state.state.state'],
    ['applications', 'search', 'process_state.entered_dt=', 'main_process_state.entered_dt'],
    ['applications', 'search', 'application.proces_state.state=hired', 'main_process_state'],
    ['applications', 'search', 'sumbitted_dt=', 'submitted_dt'],
    ['applications', 'search', '/main_process_state/state/state=hired', '/process_state/state'],
    ['applications', 'search', '/procss_state/state=hired', 'process_state'],
    ['applications', 'sort', 'process_state.state!asc', 'main_process_state.state.state'],
    ['applications', 'sort', '/process_state/state!asc', 'main_process_state.state.state'],
    ['vacancies', 'search', 'state.entered_dt=', 'state_entered_dt'],
    ['vacancies', 'search', 'vacancy.state.state_id=1', 'vacancy.state.id'],
  ])('of %s in %s=%s suggests the right one', async (collection, parameter, text, name) => {
    expect(await query(collection, parameter, text)).toEqual(meant(name));
  });

  it('in a topic suggests the right one', async () => {
    const expression = 'application.process_state == "hired" OR application.user.frstname == "A"';
    const answer = await api.post('/notification_topics', { type: 'STATE_CHANGE_APPLICATION', name: 'T', expression });
    expect(infosOf(answer).split(' | ')).toEqual([meant('application.main_process_state'), meant('firstname')]);
  });

  it('in a layout column suggests the right one', async () => {
    const columns = [{ title: 'State', datapath: 'application.process_state.name' }];
    const answer = await api.post('/layouts', { name: 'L', resource: 'applications', columns });
    expect(infosOf(answer)).toEqual(meant('application.main_process_state.state.name'));
  });

  it('in a template suggests the right one', async () => {
    const body = '{{ application.process_state.name }}';
    const answer = await api.post('/message_templates', { name: 'M', subject: 'S', body });
    expect(infosOf(answer)).toEqual(meant('application.main_process_state.state.name'));
  });

  it('in a stored search suggests the right one', async () => {
    const search = ['application.process_state=1'];
    const answer = await api.post('/config_searches', { name: 'C', resource: 'applications', search });
    expect(infosOf(answer)).toEqual(meant('application.main_process_state'));
  });
});
