// @group sample: npm test runs a quarter of its tests
import { beforeAll, describe, expect, test } from '@jest/globals';
import { type Item } from '../support/answer.js';
import { useApi } from '../support/use-api.js';
import { type Rule, toRules, score, setRules, scoreBy, changesOf } from './scores.js';

const { api, make } = useApi();

describe('the score of an application', () => {
  let application: Item;
  beforeAll(async () => {
    const candidate = await make.candidate({
      tags: ['maths'],
      Address: [
        { Label: 'home', CountryCode: 'GB' },
        { Label: 'term', CountryCode: 'DE' },
      ],
    });
    application = await make.application({ user_id: candidate.id, source: 'fair', tags: ['a', 'b'], rating: 4 });
  });

  test.each<[string, readonly Rule[], number | null]>([
    ['null without rules', [], null],
    ['zero when none holds', [['application.source == "web"', 5]], 0],
    [
      'the sum of the points of matching rules',
      [
        ['application.source == "fair"', 5],
        ['application.rating == 1', 3],
        ['application.rating >= 4', 2],
      ],
      7,
    ],
    [
      'exact for decimal points',
      [
        ['application.id > 0', 0.1],
        ['application.rating == 4', 0.2],
      ],
      0.3,
    ],
    ['exact where sums of fractions are not', Array.from({ length: 100 }, (): Rule => ['application.id > 0', 0.07]), 7],
    [
      'below zero',
      [
        ['application.id > 0', -1.25],
        ['application.rating == 4', 1],
      ],
      -0.25,
    ],
    [
      'zero where points cancel out',
      [
        ['application.id > 0', -1.1],
        ['application.rating == 4', 1.1],
      ],
      0,
    ],
    ['nothing for points of zero', [['application.id > 0', 0]], 0],
    [
      'the sum of 100 rules',
      Array.from({ length: 100 }, (): Rule => ['application.id > 0', 99_999_999.99]),
      9_999_999_999,
    ],
    ['as small', Array.from({ length: 100 }, (): Rule => ['application.id > 0', -99_999_999.99]), -9_999_999_999],
    [
      'twice the points of a rule that stands twice',
      [
        ['application.id > 0', 1],
        ['application.id > 0', 1],
      ],
      2,
    ],
    [
      'by any of the tags',
      [
        ['application.tags == "b"', 1],
        ['application.tags != "b"', 2],
        ['application.tags IN {"x", "a"}', 4],
        ['application.tags =~ "c"', 8],
      ],
      5,
    ],
    [
      'by any of the candidate’s addresses',
      [
        ['application.candidate.Address.CountryCode == "DE"', 1],
        ['application.candidate.Address.CountryCode != "DE"', 2],
        ['application.candidate.Address.City == null', 4],
      ],
      5,
    ],
    [
      'computed from missing values',
      [
        ['application.posting.closing_date == null', 1],
        ['application.posting.closing_date <= DATE("today")', 2],
        ['NOT (application.posting.closing_date <= DATE("today"))', 4],
      ],
      5,
    ],
    [
      'by its vacancy',
      [
        ['application.opportunity.title == "Engineer"', 1],
        ['application.vacancy.openings == 1', 2],
        ['application.event.venue == null', 4],
      ],
      7,
    ],
    [
      'by its own state and age',
      [
        ['application.main_process_state.state.state == "submitted"', 1],
        ['application.days_in_state == 0', 2],
        ['application.age_days > 0', 4],
      ],
      3,
    ],
    [
      'by dates',
      [
        ['application.submitted_dt >= DATE("today") - DTDURATION(1,0,0,0)', 1],
        ['application.submitted_dt > DATE("now")', 2],
        ['application.hired_dt == null', 4],
      ],
      5,
    ],
    [
      'by the rules themselves, without end',
      [
        ['application.opportunity.scoring_rules.points > 1', 1],
        ['application.vacancy.scoring_rules.expression =~ "scoring_rules"', 2],
      ],
      3,
    ],
  ])('is computed correctly: %s', async (_, rules, expected) => {
    expect(await scoreBy(api, application, ...rules)).toBe(expected);
    expect((await api.get(`/applications/${application.id}`)).item['score']).toBe(expected);
  });

  test('is recorded in the history with the user, and changes updated_dt and the ETag', async () => {
    const { id } = await make.application({
      opportunity_id: (
        await make.vacancy(
          toRules([
            ['application.id > 0', 0.1],
            ['application.rating == null', 0.2],
          ]),
        )
      ).id,
    });
    const before = await api.get(`/applications/${id}`);
    const first = await score(api, id);
    expect([first.etag, first.etag === before.etag, first.item['updated_dt'] === before.item['updated_dt']]).toEqual([
      (await api.get(`/applications/${id}`)).etag,
      false,
      false,
    ]);
    expect({ ...first.item, score: null, updated_dt: before.item['updated_dt'] }).toEqual(before.item);
    expect(await changesOf(api, id)).toEqual([[{ path: '/score', old: null, new: 0.3 }]]);

    const again = await score(api, id, {});
    expect([again.status, again.text, again.etag]).toEqual([200, first.text, first.etag]);
    expect(await changesOf(api, id)).toHaveLength(1);
  });

  test('stays until it is computed again, and then is null when no rules are left', async () => {
    const own = await make.application();
    expect(await scoreBy(api, own, ['application.id > 0', 5])).toBe(5);
    await setRules(api, own);
    expect((await api.get(`/applications/${own.id}`)).item['score']).toBe(5);
    expect((await score(api, own.id)).item['score']).toBeNull();
    expect(await changesOf(api, own.id)).toEqual([
      [{ path: '/score', old: 5, new: null }],
      [{ path: '/score', old: null, new: 5 }],
    ]);
  });

  test('is not changed by any write other than scoring', async () => {
    const own = await make.application({ source: 'fair' });
    expect(await scoreBy(api, own, ['application.source == "fair"', 5])).toBe(5);
    const replaced = await api.put(`/applications/${own.id}`, {
      opportunity_id: own['opportunity_id'],
      user_id: (own['user'] as Item).id,
      source: 'web',
    });
    const moved = await api.put(`/applications/${own.id}/process_state`, { state: 'interview' });
    expect([replaced.item['score'], moved.item['score'], (await score(api, own.id)).item['score']]).toEqual([5, 5, 0]);
  });

  test('becomes null when the application moves to another vacancy, with a history entry', async () => {
    const own = await make.application();
    expect(await scoreBy(api, own, ['application.id > 0', 5])).toBe(5);
    const { id: opportunity_id } = await make.vacancy(toRules([['application.id > 0', 3]]));
    const body = { opportunity_id, user_id: (own['user'] as Item).id };
    const moved = await api.put(`/applications/${own.id}`, body);
    expect([moved.status, moved.item['score'], (await api.get(`/applications/${own.id}`)).item['score']]).toEqual([
      200,
      null,
      null,
    ]);
    const [changes] = (await changesOf(api, own.id)) as readonly (readonly { readonly path: string }[])[];
    expect(changes).toContainEqual({ path: '/score', old: 5, new: null });
    expect(changes).toContainEqual({ path: '/opportunity_id', old: own['opportunity_id'], new: opportunity_id });
    expect((await score(api, own.id)).item['score']).toBe(3);
    expect((await api.put(`/applications/${own.id}`, { ...body, rating: 2 })).item['score']).toBe(3);
  });

  test('can be used in search and sort', async () => {
    const { id } = await make.vacancy(
      toRules([
        ['application.source == "a"', 2],
        ['application.source != "c"', 0.5],
      ]),
    );
    const ids = [];
    for (const source of ['a', 'b', 'c']) ids.push((await make.application({ opportunity_id: id, source })).id);
    await api.post(`/vacancies/${id}/score`);
    const found = await api.get(
      `/applications?search=/opportunity_id=${id}&search=/score>=0.5&sort=application.score!asc`,
    );
    expect(found.items.map((item) => [item.id, item['score']])).toEqual([
      [ids[1], 0.5],
      [ids[0], 2.5],
    ]);
  });
});
