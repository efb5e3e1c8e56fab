import { describe, expect, it } from '@jest/globals';
import { eventually } from '../../test/eventually.js';
import { BASE_URL, readDeliveries, subscribe } from '../../test/fixtures.js';
import { useReceiver } from '../../test/receiver.js';
import { useStage } from '../../test/running-notifier.js';
import { silentLogger } from '../../test/silent-logger.js';
import { CandidateRetention } from './candidate-retention.js';

const stage = useStage();
const receiver = useReceiver();

describe('the candidate retention', () => {
  it('sends the announcement to subscriptions, and anonymises the candidate after the notice period', async () => {
    await stage.database.query(`
      INSERT INTO users (id, type, firstname, lastname, email) VALUES (12, 'recruiter', 'R', 'R', 'r@example.com');
      INSERT INTO users (id, type, firstname, lastname, email, created_dt, updated_dt)
        VALUES (13, 'candidate', 'Quillonia', 'Vexworth', 'q@example.com', '2001-01-01', '2001-01-01'),
          (14, 'candidate', 'Active', 'Person', 'a@example.com', now(), now())`);
    const wanted = await subscribe(stage.database, {
      type: 'CANDIDATE_ANONYMISATION_DUE',
      expression: 'candidate.firstname == "Quillonia"',
      url: receiver.url,
    });
    const retention = new CandidateRetention({
      database: stage.database,
      baseUrl: BASE_URL,
      logger: silentLogger,
      onEvent: () => undefined,
    });
    expect(await retention.apply()).toBe('none');
    await stage.database.query(`UPDATE systems SET candidate_retention_days = 365, retention_since_dt = now()`);
    expect(await retention.apply()).toBe('more');
    // The notifier applies the rule when it starts. So the rule and the candidate must exist before.
    const app = await stage.start();
    await eventually(async () =>
      expect(await readDeliveries(stage.database)).toMatchObject([
        { subscription_id: wanted.subscription.id, status: 'delivered' },
      ]),
    );
    const [{ body } = { body: '{}' }] = await readDeliveries(stage.database);
    expect(JSON.parse(body)).toMatchObject({ details: { id: 13, url: expect.stringMatching(/\/candidates\/13$/) } });
    await stage.database.query(`UPDATE users SET retention_notice_dt = now() - interval '15 days' WHERE id = 13;
      UPDATE systems SET retention_since_dt = now() - interval '16 days'`);
    await app.get(CandidateRetention, { strict: false }).apply();
    await eventually(async () =>
      expect(await stage.database.query(`SELECT id, status FROM users WHERE type = 'candidate' ORDER BY id`)).toEqual([
        { id: 13, status: 'anonymised' },
        { id: 14, status: 'active' },
      ]),
    );
  });
});
