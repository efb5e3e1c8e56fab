import { expect, test } from '@jest/globals';
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { useApi } from '../support/use-api.js';

const { api, make } = useApi();
const TITLE = 'R&D <Engineer> ]]> \u{1F680}';

test.each(['rss', 'indeed'] as const)('the %s feed is well-formed and has every open posting', async (kind) => {
  const board = await make.jobBoard({ is_public: true, base_url: 'https://careers.example.com' });
  const vacancy = await make.vacancy({ state: 'open' });
  const posting = await make.posting({
    job_board_id: board.id,
    vacancy_id: vacancy.id,
    title: TITLE,
    location: 'Berlin, Germany',
    closing_date: '2999-01-02',
  });
  await make.posting({ job_board_id: board.id, vacancy_id: vacancy.id, is_withdrawn: true });
  const path = `/public/v1/boards/${String(board['code'])}/feeds/${kind}.xml`;
  const { status, headers, text } = await api.request('GET', `${path}?utm_source=reader`, { token: null });
  expect([status, headers['content-type']]).toEqual([
    200,
    `application/${kind === 'rss' ? 'rss+xml' : 'xml'}; charset=utf-8`,
  ]);
  expect(headers['access-control-allow-origin']).toBe('*');
  expect(text).not.toMatch(/\s<!\[CDATA\[/);
  expect(XMLValidator.validate(text)).toBe(true);
  const read = new XMLParser({ ignoreAttributes: false, isArray: (name) => ['item', 'job'].includes(name) }).parse(
    text,
  ) as {
    rss?: { channel: { item: Record<string, unknown>[] } };
    source?: { publisher: string; job: Record<string, unknown>[] };
  };
  const entries = read.rss?.channel.item ?? read.source?.job ?? [];
  const url = `https://careers.example.com/${posting.id}`;
  expect(entries).toEqual([
    expect.objectContaining(
      kind === 'rss'
        ? { title: TITLE, link: url }
        : {
            title: TITLE,
            url,
            city: 'Berlin',
            country: 'Germany',
            company: 'Recruitment',
            expirationdate: '2999-01-02T00:00:00Z',
          },
    ),
  ]);
  const again = await api.request('GET', path, {
    token: null,
    headers: { 'if-none-match': String(headers['etag']) },
  });
  expect(again.status).toBe(304);
});
