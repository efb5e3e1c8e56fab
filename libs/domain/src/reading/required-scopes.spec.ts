import { describe, expect, it } from '@jest/globals';
import { applications, eventApplications } from '../objects/application.model.js';
import { requiredScopes } from './required-scopes.js';

describe('requiredScopes', () => {
  it.each([
    ['application', 'id', ['applications:read']],
    ['application', 'main_process_state.state.state', ['applications:read']],
    // The representation of an application shows the values of these datapaths.
    ['application', 'user.firstname', ['applications:read']],
    ['application', 'opportunity.title', ['applications:read']],
    // The representation does not show these values, so the scopes of every resource on the way are needed.
    ['application', 'user.language', ['applications:read', 'users:read']],
    ['application', 'user.fullname', ['applications:read', 'users:read']],
    ['application', 'candidate.tags', ['applications:read', 'candidates:read']],
    ['application', 'opportunity.department', ['applications:read', 'vacancies:read', 'events:read']],
    ['application', 'vacancy.owner.email', ['applications:read', 'vacancies:read', 'recruiters:read']],
    ['application', 'main_process_state.state.is_terminal', ['applications:read']],
    ['posting', 'posting_loc_meth.post_loc_vac.job_board.id', ['postings:read']],
    ['posting', 'posting_loc_meth.post_loc_vac.job_board.code', ['postings:read', 'job_boards:read']],
    ['posting', 'vacancy.title', ['postings:read', 'vacancies:read']],
    ['opportunity', 'title', ['vacancies:read', 'events:read']],
  ])('returns, for the datapath %s.%s, the scopes %j', (root, datapath, scopes) => {
    expect(requiredScopes(root, datapath)).toEqual(scopes);
  });

  it.each([
    [applications, ['applications:read', 'vacancies:read']],
    [eventApplications, ['applications:read', 'events:read']],
  ])('needs the scope of the kind of opportunity to which the collection leads', ({ type, leadsTo }, scopes) => {
    expect(requiredScopes(type.name, 'opportunity.department', leadsTo)).toEqual(scopes);
  });
});
