import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertSameAnswers } from './contest.mjs';
import { withDatabase } from './database.mjs';
import { startApi, startLimit } from './servers.mjs';
import { DEEP_PAGES, deepWorkload, findWorkloads, walkPages } from './workloads.mjs';

/**
 * Checks that the benchmark can run: a change of a representation must also change the SQL of the limit server.
 * @group long
 */
test('the limit server gives the same answers as the API for the requests of every workload', () =>
  withDatabase({ applications: 2_000 }, async (database, started) => {
    const api = await started(startApi(database));
    const limit = await started(startLimit(database));
    const pages = await walkPages(api.client, DEEP_PAGES);
    for (const { part, requests } of [...(await findWorkloads(database)), deepWorkload(pages, DEEP_PAGES / 2)]) {
      assert.ok(requests.length > 0, part);
      await assertSameAnswers(api, limit, requests);
    }
  }));
