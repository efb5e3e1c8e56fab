import { subscribe } from '../support/api-client.js';
import { faultTest, sized } from './support/fault-test.js';
import { latestIds, makeApplications, move } from './support/state-changes.js';

faultTest(
  { number: 30, fault: 'subscriptions created while events commit', isFast: true, stage: { notifiers: 2, origins: 4 } },
  async (stage, report) => {
    const applications = await makeApplications(stage, 4);
    const since = await latestIds(stage);
    let isWriting = true;
    const writers = applications.map(async ({ id }) => {
      for (let turn = 0; isWriting; turn += 1) await move(stage, id, turn % 2 === 0 ? 'on_hold' : 'interview');
    });
    const made: { readonly id: number; readonly applicationId: number; readonly createdDt: string }[] = [];
    for (const rounds = sized(200, 20); report.faults < rounds; report.faults += 1) {
      const applicationId = applications[report.faults % applications.length]?.id ?? 0;
      const item = await subscribe(
        stage.client,
        { type: 'STATE_CHANGE_APPLICATION', expression: `application.id == ${applicationId}` },
        stage.destinations.url(report.faults),
      );
      stage.destinations.setKeys(item.id, [item.signing_key]);
      made.push({ id: item.id, applicationId, createdDt: String(item['created_dt']) });
    }
    isWriting = false;
    await Promise.all(writers);
    // A subscription must get all events since the millisecond of its creation, and no earlier events.
    const { rows } = await stage.database.query<{ id: string; subscription_id: string }>(
      `SELECT e.id, s.id AS subscription_id
     FROM unnest($1::bigint[], $2::bigint[], $3::timestamptz[]) AS s (id, subject_id, created_dt)
     JOIN domain_events e ON e.subject_id = s.subject_id AND e.id > $4 AND e.occurred_dt >= s.created_dt`,
      [
        made.map(({ id }) => id),
        made.map(({ applicationId }) => applicationId),
        made.map(({ createdDt }) => createdDt),
        since.event,
      ],
    );
    for (const { id, subscription_id } of rows) stage.ledger.expect(Number(id), Number(subscription_id));
    await stage.settled();
    report.check(await stage.verdict());
  },
);
