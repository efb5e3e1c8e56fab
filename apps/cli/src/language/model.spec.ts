import { type Client } from '@ats/client';
import { describe, expect, it } from '@jest/globals';
import { languageOfService } from './model.js';

const entry = (path: string, scopes: readonly string[], target: string | null = null) => ({
  path,
  type: target === null ? 'text' : 'reference',
  is_many: false,
  target,
  label: null,
  description: null,
  values: null,
  used_in: ['expressions'],
  scopes,
});

const APPLICATION = ['applications:read'];
const BOTH = ['applications:read', 'users:read'];
const DATAPATHS = [
  entry('application.source', APPLICATION),
  entry('application.user', BOTH, 'user'),
  entry('application.user.email', APPLICATION),
  entry('application.user.birthday', BOTH),
  entry('application.creator', BOTH, 'recruiter'),
  entry('application.creator.firstname', BOTH),
];

/** A service that answers with the datapaths above. */
const clientWith = (scopes: readonly string[]): Client => {
  const answers: Readonly<Record<string, unknown>> = {
    me: { scopes },
    event_types: [{ type: 'APPLICATION_CREATE', root: 'application' }],
    datapaths: DATAPATHS,
  };
  const get = ({ url, query }: { url: string; query?: { prefix?: string; q?: string } }) => {
    const answer = answers[url.split('/').at(-1) ?? ''];
    const isNarrow = query?.prefix !== undefined;
    return Promise.resolve({
      data: isNarrow ? DATAPATHS.filter(({ path }) => path.startsWith(query.prefix ?? '')) : answer,
    });
  };
  return { get } as unknown as Client;
};

describe('the language of a credential', () => {
  it('knows a relation when the credential may use a value of the related object', async () => {
    const language = await languageOfService(clientWith(['applications:read']));
    expect(language.diagnose('application.user.email =~ "a"')).toEqual([]);
    expect(language.diagnose('application.user.birthday == "a"').map(({ code }) => code)).toEqual(['unknown_name']);
    const { items } = language.complete('application.', 12);
    expect(items.map(({ text }) => text)).toEqual(['source', 'user']);
  });

  it('knows all datapaths when the credential has all read scopes', async () => {
    const language = await languageOfService(clientWith(['*:read']));
    expect(language.diagnose('application.creator.firstname == application.user.birthday')).toEqual([]);
  });
});
