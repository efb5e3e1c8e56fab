import { expect } from '@jest/globals';
import { type Answer } from './support/destination.js';
import { faultTest } from './support/fault-test.js';
import { RawDestination } from './support/raw-destination.js';

const STATUSES = [300, 301, 302, 303, 304, 305, 307, 308];

faultTest(
  {
    number: 16,
    fault: 'destinations answer with a redirect',
    isFast: true,
    stage: { settings: { DELIVERY_SCHEDULE: '1' } },
  },
  async (stage, report) => {
    const target = await RawDestination.start((socket) => socket.write('HTTP/1.1 204 No Content\r\n\r\n'));
    try {
      const locations = [
        `http://127.0.0.1:${target.port}/`,
        `http://localhost:${target.port}/`,
        `//127.0.0.1:${target.port}/`,
        'https://example.com/',
        '/elsewhere',
        '',
      ];
      const cases = STATUSES.flatMap((status) => locations.map((location) => ({ status, location })));
      const bySubscription = new Map<number, (typeof cases)[number]>();
      for (const [index, one] of cases.entries())
        bySubscription.set((await stage.subscribe({ url: `${stage.destinations.url()}?${index}` })).id, one);
      const redirect: Answer = ({ subscriptionId }, response) => {
        const { status, location } = bySubscription.get(subscriptionId) ?? { status: 500, location: '' };
        response.writeHead(status, { location }).end();
      };
      stage.destinations.answerWith(redirect);
      await stage.raise(1);
      await stage.settled();
      report.faults += cases.length;

      expect(target.connections).toBe(0);
      // Each message has two attempts with one request each. More requests would mean that the notifier followed
      // redirects.
      expect(stage.destinations.receptions).toHaveLength(2 * cases.length);
      const { rows } = await stage.database.query<{ error: string; count: string }>(
        'SELECT error, count(*) FROM notification_attempts GROUP BY error',
      );
      expect(rows).toEqual([{ error: 'redirect', count: String(2 * cases.length) }]);
      report.check(await stage.verdict());
    } finally {
      await target.stop();
    }
  },
);
