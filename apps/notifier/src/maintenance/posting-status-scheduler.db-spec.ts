import { describe, expect, it } from '@jest/globals';
import { replaceSystem } from '@ats/domain';
import { eventually } from '../../test/eventually.js';
import { BASE_URL, readDeliveries, subscribe } from '../../test/fixtures.js';
import { useReceiver } from '../../test/receiver.js';
import { useStage } from '../../test/running-notifier.js';
import { PostingStatusScheduler } from './posting-status-scheduler.js';

const stage = useStage();
const receiver = useReceiver();

// At any time, the date in the first zone is at least one day ahead of the date in the second.
const [EAST, WEST] = ['Pacific/Kiritimati', 'Etc/GMT+12'];

/** Changes the time zone as the API does. */
const setZone = (timezone: string): Promise<readonly string[]> =>
  stage.database.transaction((transaction) =>
    replaceSystem(
      transaction,
      { id: 1, body: { name: 'Recruitment', default_language: 'en', environment: 'production', timezone } },
      { baseUrl: BASE_URL, language: 'en' },
    ),
  );

describe('the posting status scheduler', () => {
  it('uses a new time zone of the system, in which its events are evaluated, too', async () => {
    await setZone(WEST);
    await stage.database.query(`
      INSERT INTO users (id, type, firstname, lastname, email) VALUES (12, 'recruiter', 'R', 'R', 'r@example.com');
      INSERT INTO opportunities (id, kind, title, state_id, process_id) VALUES (21, 'vacancy', 'One', 302, 1);
      INSERT INTO job_boards (id, name, code) VALUES (31, 'Board', 'board');
      INSERT INTO postings (id, title, job_board_id, vacancy_id, opening_date)
        VALUES (41, 'P', 31, 21, (now() AT TIME ZONE '${EAST}')::date)`);
    const today = await subscribe(stage.database, {
      type: 'POSTING_UPDATE',
      expression: 'posting.status == "live" AND posting.opening_date == DATE("today")',
      url: receiver.url,
    });
    const scheduler = new PostingStatusScheduler({
      database: stage.database,
      baseUrl: BASE_URL,
      onEvent: () => undefined,
    });
    const events = (): Promise<object[]> =>
      stage.database.query(
        `SELECT type, time_zone, facts ->> 'posting.status' AS status FROM domain_events ORDER BY id`,
      );
    await scheduler.raiseEvents();
    expect(await events()).toEqual([]);

    await setZone(EAST);
    await scheduler.raiseEvents();
    await setZone(WEST);
    await scheduler.raiseEvents();
    expect(await events()).toEqual([
      { type: 'POSTING_UPDATE', time_zone: EAST, status: 'live' },
      { type: 'POSTING_UPDATE', time_zone: WEST, status: 'scheduled' },
    ]);
    // The notifier also raises such events when it starts. So the posting must be prepared before.
    await stage.start();
    await eventually(async () =>
      expect(await readDeliveries(stage.database)).toMatchObject([
        { subscription_id: today.subscription.id, status: 'delivered' },
      ]),
    );
  });
});
