import { expect, it } from '@jest/globals';
import { createClient } from '@ats/client';
import { languageServiceOf } from './catalogue.js';

const entry = (path: string, target: string | null = null) => ({
  ...{ path, target, type: target ?? 'text', is_many: false, label: null, description: null, values: null },
  used_in: ['expressions'],
});

it('loads a model without a request for each object type that is no root', async () => {
  const requests: string[] = [];
  const fetch = (request: Request): Promise<Response> => {
    const { search, searchParams } = new URL(request.url);
    requests.push(search);
    const roots = [entry('candidate.email'), entry('candidate.state', 'state'), entry('candidate.country', 'country')];
    const behind = [...roots, entry('candidate.state.name'), entry('candidate.country.name')];
    return Promise.resolve(Response.json(searchParams.has('q') ? behind : roots));
  };
  const client = createClient({ baseUrl: 'http://test', fetch });
  const service = await languageServiceOf(client, 'candidate');
  expect(service.diagnose('candidate.state.name == "x" AND candidate.country.name == "y"')).toEqual([]);
  expect(requests).toHaveLength(2);
});
