import { beforeAll, describe, expect, it } from '@jest/globals';
import { type Item } from '../support/answer.js';
import { useApi } from '../support/use-api.js';
import { makeCandidates, makeApplications, find } from './search-world.js';

const { api, make } = useApi();
/** Maps the names in the tables of cases to the objects of the tests. */
const things = new Map<string, Item>();

beforeAll(async () => {
  await makeCandidates(make, things);
  await makeApplications(api, make, things);
});

describe('a search on candidates', () => {
  it.each([
    // `=` compares the whole text. Case matters.
    ['/lastname=Johnson', 'anna'],
    ['lastname=johnson', 'bela'],
    ['candidate.lastname=johnson', 'bela'],
    ['/lastname!=Johnson', 'bela carl dora'],
    ['/lastname={Johnson,johnson}', 'anna bela'],
    ['/lastname!={Johnson,johnson}', 'carl dora'],
    ['/id={%anna%,%carl%}', 'anna carl'],
    [
      '/user/id=%anna%',
      '400 search: the representation of candidate has nothing called "user" here (at 2 of "/user/id=1")',
    ],
    // `=~` finds substrings in any script and ignores case. Wildcards are normal characters.
    ['/lastname=~JOHN', 'anna bela'],
    ['/lastname=~MÜL', 'carl'],
    ['/lastname=~παπαδας', 'dora'],
    ['/lastname=~αδασ', 'dora'],
    ['/lastname!~ohn', 'carl dora'],
    ['/source=~0% {', 'carl'],
    ['/source=~a_b\\c', 'carl'],
    ['/source=~_', 'carl'],
    ['/source=~a%c', ''],
    ['/source={100% \\{of\\} a_b\\\\c\\, d}', 'carl'],
    ['/date_of_birth=~-05-1', 'anna bela'],
    // An empty value matches null, the empty text and an empty list.
    ['/title=', 'bela carl dora'],
    ['/title!=', 'anna'],
    ['/title={Dr,}', 'anna bela carl dora'],
    ['/tags=', 'carl dora'],
    ['/Address=', 'carl dora'],
    // Order comparisons never match null.
    ['/date_of_birth<1990-05-18', 'anna'],
    ['/date_of_birth>=1990-05-17', 'anna bela'],
    ['/lastname<k', 'anna bela'],
    ['/title<zzz', 'anna carl'],
    // To-many relations: `=` and `=~` need an element that matches. `!=` matches only when no element has the value.
    ['/tags=java', 'anna bela'],
    ['/tags/*=~REM', 'anna'],
    ['/tags!=java', 'carl dora'],
    ['/Address/*/City=Bonn', 'anna'],
    ['/Address/[home]/City=Bonn', ''],
    ['/Address/[home]/City=~köLN', 'anna'],
    ['/Address/[home]/City=', 'bela carl dora'],
    ['/Address/*/City!=Bonn', 'bela carl dora'],
    ['Address.City=Bonn', 'anna'],
    ['/Email/[work]/Address=~WORK', 'anna dora'],
    // Conditions are combined with AND.
    ['/lastname=~john & search: /tags=Remote', 'anna'],
  ])('%s finds %s', async (search, expected) => {
    expect((await find(api, things, 'candidates', `search: ${search}`)).replace(/\/user\/id=\d+/, '/user/id=1')).toBe(
      expected,
    );
  });
});

describe('a search on applications', () => {
  it.each([
    ['/user/id=%anna%', 'first'],
    ['/user=%anna%', 'first'],
    ['application.user=%anna%', 'first'],
    ['user={%anna%,%bela%}', 'first second'],
    ['application.user.firstname=Anna', 'first'],
    ['/process_state/state=in_review', 'second'],
    ['main_process_state.state.phase!=hired', 'first second third'],
    ['/opportunity/title=~ENG', 'first third'],
    ['vacancy.department=R&D', 'first third'],
    ['opportunity.department!=R&D', 'second'],
    ['user.fullname=Anna Johnson', 'first'],
    ['candidate.Address.City=Bonn', 'first'],
    // An empty value matches a reference that is null.
    ['/posting=', 'second third'],
    ['/posting!=', 'first'],
    ['posting.title=', 'second third'],
    ['posting.title!=Engineer wanted', 'second third'],
    ['event=', 'first second third'],
    // Numbers may be written in any notation. Order comparisons never match null.
    ['/rating>=3', 'first second'],
    ['/rating<5', 'first'],
    ['/rating!=5', 'first third'],
    ['/score=12.5', 'first'],
    ['/score=~2.5', 'first'],
    // A date stands for the whole UTC day. Timestamps may have an offset.
    ['/submitted_dt=2026-03-01', 'first'],
    ['/submitted_dt!=2026-03-01', 'second third'],
    ['/submitted_dt<=2026-03-01', 'first'],
    ['/submitted_dt>2026-03-01', 'second'],
    ['/submitted_dt>=2026-03-01', 'first second'],
    ['/submitted_dt<2026-03-02', 'first'],
    ['/submitted_dt=2026-03-02T01:00:00+01:00', 'second'],
    ['/submitted_dt=2026-03-01T23:30:00.500Z', 'first'],
    ['/submitted_dt=', 'third'],
    ['/app_type=event_application', ''],
  ])('%s finds %s', async (search, expected) => {
    expect(await find(api, things, 'applications', `search: ${search}`)).toBe(expected);
  });
});

describe('the text filter', () => {
  it.each([
    ['candidates', 'ANNA', 'anna'],
    ['candidates', 'bonn', 'anna'],
    ['candidates', 'work.EXAMPLE', 'anna dora'],
    ['candidates', 'remote', 'anna'],
    ['candidates', '1990', 'anna bela'],
    ['candidates', '%', 'carl'],
    ['applications', 'müller', 'third'],
    ['applications', 'PILOT', 'second'],
    ['applications', 'wanted', ''],
    ['applications', '/api/v1', ''],
  ])('of %s with the text %s finds %s', async (collection, filter, expected) => {
    expect(await find(api, things, collection, `filter: ${filter}`)).toBe(expected);
  });
});

describe('the parameter sort', () => {
  it.each([
    ['candidates', 'firstname!desc', 'dora carl bela anna'],
    // Letters decide the order first, then accents, then case, then the id.
    ['candidates', 'lastname!asc', 'bela anna carl dora'],
    ['candidates', 'title!asc', 'carl anna bela dora'],
    ['candidates', 'title!desc', 'anna carl bela dora'],
    ['candidates', 'candidate.source!desc & sort: id!desc', 'carl dora bela anna'],
    ['applications', 'opportunity.title!desc & sort: user.lastname!asc', 'second first third'],
    ['applications', 'posting.title!desc', 'first second third'],
    ['applications', 'rating!desc', 'second first third'],
    ['applications', 'score!asc & filter: engineer', 'first third'],
  ])('orders %s by %s: %s', async (collection, sort, expected) => {
    expect(await find(api, things, collection, `sort: ${sort}`)).toBe(expected);
  });

  it('applies to all pages, and every link keeps the parameters', async () => {
    const answer = await api.get('/candidates?sort=firstname!desc&search=%2Flastname!%3Dx&per_page=1&page=2');
    expect(answer.items.map(({ id }) => id)).toEqual([things.get('carl')?.id]);
    expect(answer.headers['x-total-count']).toBe('4');
    expect(answer.headers['link']).toMatch(
      /sort=firstname!desc&search=%2Flastname!%3Dx&per_page=1&page=3&after=[\w-]+>; rel="next"/,
    );
  });
});
