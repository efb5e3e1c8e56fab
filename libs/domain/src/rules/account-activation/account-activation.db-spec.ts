import { beforeAll, describe, expect, it } from '@jest/globals';
import { moveClock, useTestDatabase } from '../../../test/test-database.js';
import { SecretBox, SecretBoxError } from '../../writing/secret-box.js';
import { anonymiseCandidate } from '../../privacy/anonymise.js';
import { candidates } from '../../objects/user.model.js';
import { entitySchemas } from '../../writing/entities.js';
import { deleteObject, insertObject } from '../../writing/write-object.js';
import { ACTIVATION_DAYS, activateAccount, cancelActivation, startActivation } from './account-activation.js';
import { ACTIVATION_TOKEN_PURPOSE, openActivationToken } from './activation-mail.js';
import { failExpiredActivationMails } from './expired-activation-mails.js';

const own = useTestDatabase({ entities: entitySchemas(), hasMovableClock: true });
const secretBox = new SecretBox('a secret of at least 32 characters', ACTIVATION_TOKEN_PURPOSE);
const RECRUITER = 900;
const DAY_MS = 86_400_000;

beforeAll(async () => {
  await own.database.query(
    `INSERT INTO users (id, type, firstname, lastname, email)
     VALUES (${RECRUITER}, 'recruiter', 'R', 'R', 'r@example.com')`,
  );
});

interface Mail {
  readonly activation_id: number;
  readonly status: string;
  readonly last_error: string | null;
  readonly sealed_token: Buffer;
}
interface Started {
  readonly id: number;
  readonly token: string;
}

let serial = 0;
async function start(): Promise<Started> {
  const id = await own.database.transaction(async (transaction) => {
    const person = { firstname: 'Ada', lastname: 'Byron', email: `ada.${++serial}@example.com` };
    const candidate = await insertObject(transaction, candidates, person, { status: 'pending_activation' });
    await startActivation(transaction, { userId: candidate, language: 'en', recruiterId: RECRUITER }, secretBox);
    return candidate;
  });
  return { id, token: await waitingToken(id) };
}
const mailsOf = (id: number): Promise<Mail[]> =>
  own.database.query<Mail>(
    `SELECT m.* FROM outgoing_mails m JOIN account_activations a ON a.id = m.activation_id
     WHERE a.user_id = $1 ORDER BY m.id`,
    [id],
  );
async function waitingToken(id: number): Promise<string> {
  const mail = (await mailsOf(id)).find(({ sealed_token }) => sealed_token !== null);
  if (!mail) throw new Error('no e-mail with a token is queued');
  return openActivationToken(mail.sealed_token, mail.activation_id, secretBox);
}
const activate = (token: string, recruiterId: number | null = RECRUITER): Promise<number | null> =>
  own.database.transaction((transaction) => activateAccount(transaction, token, recruiterId));
const statusOf = async (id: number): Promise<string | undefined> =>
  (await own.database.query<{ status: string }>('SELECT status FROM users WHERE id = $1', [id]))[0]?.status;

describe('an activation link', () => {
  it('activates its candidate once and records the recruiter in the history', async () => {
    const [ada, other] = [await start(), await start()];
    const before = await own.database.query<{ updated_dt: Date }>('SELECT updated_dt FROM users WHERE id = $1', [
      ada.id,
    ]);
    await moveClock(own.database, 1_000);
    expect(await activate(ada.token)).toBe(ada.id);
    expect([await statusOf(ada.id), await statusOf(other.id)]).toEqual(['active', 'pending_activation']);
    const after = await own.database.query<{ updated_dt: Date }>('SELECT updated_dt FROM users WHERE id = $1', [
      ada.id,
    ]);
    expect(after[0]?.updated_dt.getTime()).toBeGreaterThan(before[0]?.updated_dt.getTime() ?? Infinity);
    // A used link stays used, even when the candidate becomes pending again.
    await own.database.query(`UPDATE users SET status = 'pending_activation' WHERE id = $1`, [ada.id]);
    expect(await activate(ada.token)).toBeNull();
    const change = { path: '/status', old: 'pending_activation', new: 'active' };
    const queued = { path: '/activation_mail', old: null, new: 'queued' };
    expect(
      await own.database.query(
        'SELECT type, recruiter_id, changes FROM history_entries WHERE subject_id = $1 ORDER BY id',
        [ada.id],
      ),
    ).toEqual([
      { type: 'field_change', recruiter_id: RECRUITER, changes: [queued] },
      { type: 'field_change', recruiter_id: RECRUITER, changes: [change] },
    ]);
  });

  it('records no recruiter in the history when the candidate uses the link', async () => {
    const { id, token } = await start();
    expect(await activate(token, null)).toBe(id);
    expect(
      await own.database.query('SELECT recruiter_id FROM history_entries WHERE subject_id = $1 ORDER BY id', [id]),
    ).toEqual([{ recruiter_id: RECRUITER }, { recruiter_id: null }]);
  });

  it('succeeds for one of several concurrent requests', async () => {
    const { id, token } = await start();
    const answers = await Promise.all(Array.from({ length: 6 }, () => activate(token)));
    expect(answers.filter((answer) => answer !== null)).toEqual([id]);
    expect(
      await own.database.query(
        `SELECT type FROM history_entries WHERE subject_id = $1 AND changes -> 0 ->> 'path' = '/status'`,
        [id],
      ),
    ).toHaveLength(1);
  });

  it(`can be used for ${ACTIVATION_DAYS} days`, async () => {
    const [first, second] = [await start(), await start()];
    await moveClock(own.database, ACTIVATION_DAYS * DAY_MS - 60_000);
    expect(await activate(first.token)).toBe(first.id);
    await moveClock(own.database, 61_000);
    expect(await activate(second.token)).toBeNull();
    expect(await statusOf(second.id)).toBe('pending_activation');
  });

  it('stops working, and its e-mail is cancelled, when the link is cancelled or a new link is sent', async () => {
    const { id, token } = await start();
    await own.database.transaction((transaction) =>
      startActivation(transaction, { userId: id, language: 'en', recruiterId: RECRUITER }, secretBox),
    );
    const later = await waitingToken(id);
    expect(await activate(token)).toBeNull();
    expect(
      await own.database.query(
        `SELECT m.status, m.sealed_token IS NULL AS is_blank
         FROM outgoing_mails m JOIN account_activations a ON a.id = m.activation_id WHERE user_id = $1 ORDER BY m.id`,
        [id],
      ),
    ).toEqual([
      { status: 'cancelled', is_blank: true },
      { status: 'due', is_blank: false },
    ]);
    await own.database.transaction((transaction) => cancelActivation(transaction, id));
    expect(await activate(later)).toBeNull();
    expect(await statusOf(id)).toBe('pending_activation');
  });

  it.each(['disabled', 'active', 'anonymised'])('does not change a candidate who is %s', async (status) => {
    const { id, token } = await start();
    await own.database.query('UPDATE users SET status = $2 WHERE id = $1', [id, status]);
    expect(await activate(token)).toBeNull();
    expect(await statusOf(id)).toBe(status);
  });

  it.each(['', 'x', '\u0000', '\ud800', `${'A'.repeat(43)}`, 'A'.repeat(1_000_000), `' OR 1=1 --`])(
    'rejects an invented token: %#',
    async (token) => {
      expect(await activate(token)).toBeNull();
    },
  );

  it('is deleted when its candidate is deleted or anonymised', async () => {
    const [deleted, anonymised] = [await start(), await start()];
    await own.database.transaction(async (transaction) => {
      await deleteObject(transaction, candidates, deleted.id);
      await anonymiseCandidate(transaction, anonymised.id, {
        recruiterId: RECRUITER,
        baseUrl: 'https://ats.example.com',
      });
    });
    for (const { id, token } of [deleted, anonymised]) {
      expect(await own.database.query('SELECT id FROM account_activations WHERE user_id = $1', [id])).toEqual([]);
      expect(await activate(token)).toBeNull();
    }
  });

  it('makes its e-mail fail and blanks the token after the link expired, but not during an attempt', async () => {
    const [due, queued, sending, left, sent] = [
      await start(),
      await start(),
      await start(),
      await start(),
      await start(),
    ];
    const set = (one: Started, assignments: string): Promise<unknown> =>
      own.database.query(
        `UPDATE outgoing_mails SET ${assignments}
         WHERE activation_id IN (SELECT id FROM account_activations WHERE user_id = $1)`,
        [one.id],
      );
    await set(queued, `status = 'queued', queued_dt = clock_timestamp()`);
    await set(sending, `status = 'sending', lease_until_dt = clock_timestamp() + interval '8 days'`);
    await set(left, `status = 'sending', lease_until_dt = clock_timestamp() + interval '1 minute'`);
    await set(sent, `status = 'sent', sealed_token = NULL`);
    await moveClock(own.database, ACTIVATION_DAYS * DAY_MS - 60_000);
    const young = await start();
    expect(await failExpiredActivationMails(own.database, 10)).not.toContain((await mailsOf(due.id))[0]?.activation_id);
    await moveClock(own.database, 120_000);
    const given = [
      await failExpiredActivationMails(own.database, 2),
      await failExpiredActivationMails(own.database, 10),
    ];
    expect(given.map(({ length }) => length > 0)).toEqual([true, true]);
    const of = async (one: Started): Promise<unknown> =>
      (await mailsOf(one.id)).map(({ status, last_error, sealed_token }) => [
        status,
        last_error,
        sealed_token !== null,
      ]);
    for (const one of [due, queued, left]) expect(await of(one)).toEqual([['failed', 'expired', false]]);
    expect([await of(sending), await of(sent), await of(young)]).toEqual([
      [['sending', null, true]],
      [['sent', null, false]],
      [['due', null, true]],
    ]);
    await set(sending, `status = 'cancelled', sealed_token = NULL`);
  });

  it('is deleted with its e-mail 30 days after it expired', async () => {
    const { id } = await start();
    await moveClock(own.database, (ACTIVATION_DAYS + 29) * DAY_MS);
    await start();
    expect(await mailsOf(id)).toHaveLength(1);
    await moveClock(own.database, 2 * DAY_MS);
    await start();
    expect(await own.database.query('SELECT id FROM account_activations WHERE user_id = $1', [id])).toEqual([]);
    expect(await mailsOf(id)).toEqual([]);
  });
});

describe('an activation token', () => {
  it('is not stored in plain text, and the queued e-mail reveals it only with the right key', async () => {
    const { id, token } = await start();
    expect(token).toMatch(/^[\w-]{43}$/);
    const tables = await own.database.query<{ name: string }>(
      `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'`,
    );
    const forms = [token, Buffer.from(token).toString('hex'), Buffer.from(token, 'base64url').toString('hex')];
    for (const { name } of tables) {
      const [row] = await own.database.query<{ text: string | null }>(
        `SELECT string_agg(t::text, ' ') AS text FROM ${name} t`,
      );
      expect([name, forms.filter((form) => row?.text?.includes(form))]).toEqual([name, []]);
    }
    const [mail] = await mailsOf(id);
    if (!mail) throw new Error('no e-mail is queued');
    for (const [key, activation] of [
      ['another secret of 32 characters …', mail.activation_id],
      ['a secret of at least 32 characters', mail.activation_id + 1],
    ] as const) {
      expect(() =>
        openActivationToken(mail.sealed_token, activation, new SecretBox(key, ACTIVATION_TOKEN_PURPOSE)),
      ).toThrow(SecretBoxError);
    }
  });

  it('cannot stay in the row of a finished e-mail', async () => {
    const { id } = await start();
    const [mail] = await mailsOf(id);
    await expect(
      own.database.query(`UPDATE outgoing_mails SET status = 'sent' WHERE activation_id = $1`, [mail?.activation_id]),
    ).rejects.toThrow('ck_outgoing_mails_sealed_token');
  });
});
