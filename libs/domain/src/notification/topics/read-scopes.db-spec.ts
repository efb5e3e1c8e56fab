import { describe, expect, it } from '@jest/globals';
import { useTestDatabase } from '../../../test/test-database.js';
import { readScopesOf, updateReadScopes } from './read-scopes.js';
import { createTopic, replaceTopic } from './topics.js';

const own = useTestDatabase();

const TYPE = 'STATE_CHANGE_APPLICATION';
const topic = (datapaths: readonly string[]) =>
  ({
    type: TYPE,
    name: 'Topic',
    description: null,
    expression: datapaths.join(' == ') || null,
    datapaths,
  }) as const;
const scopesOf = async (id: number): Promise<unknown> =>
  (
    await own.database.query(
      'SELECT read_scopes, read_scopes_revision = revision AS is_current FROM notification_topics WHERE id = $1',
      [id],
    )
  )[0];

describe('the read scopes of a topic', () => {
  it.each([
    [[], []],
    [['application.user.email'], ['applications']],
    [
      ['application.rating', 'application.user.language'],
      ['applications', 'users'],
    ],
  ])('are, for the datapaths %j, the scopes of all resources on their way: %j', (datapaths, scopes) => {
    expect(readScopesOf({ type: TYPE, datapaths })).toEqual(scopes);
  });

  it('are stored with each write of a topic', async () => {
    const { id } = await own.database.transaction((transaction) =>
      createTopic(transaction, topic(['application.user.email'])),
    );
    expect(await scopesOf(id)).toEqual({ read_scopes: ['applications'], is_current: true });
    await own.database.transaction((transaction) => replaceTopic(transaction, id, topic([])));
    expect(await scopesOf(id)).toEqual({ read_scopes: [], is_current: true });
  });

  it('are added to topics of the previous release, once', async () => {
    const { id } = await own.database.transaction((transaction) =>
      createTopic(transaction, topic(['application.user.email'])),
    );
    const update = (): Promise<number> => own.database.transaction(updateReadScopes);
    expect(await update()).toBe(0);
    for (const change of ['read_scopes = NULL, read_scopes_revision = NULL', 'revision = revision + 1']) {
      await own.database.query(`UPDATE notification_topics SET ${change} WHERE id = $1`, [id]);
      expect(await update()).toBe(1);
      expect(await scopesOf(id)).toEqual({ read_scopes: ['applications'], is_current: true });
    }
  });
});
