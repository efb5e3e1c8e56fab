import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { Account, type Spent, Spending } from './spending.js';

const BUDGET_MS = 1_000;

let account: Account;
let reported: Spent[];

beforeEach(() => {
  jest.useFakeTimers();
  account = new Account();
  reported = [];
});
afterEach(() => void jest.useRealTimers());

const request = (): Spending =>
  new Spending({
    key: 'key',
    budgetMs: BUDGET_MS,
    resetMs: 10_000,
    account,
    report: (spent) => void reported.push(spent),
  });

describe('the database time of a request', () => {
  test('is reported once, when the request ends', () => {
    const spending = request();
    spending.begin()(30);
    spending.begin()(20);
    expect(reported).toEqual([]);
    spending.close(7);
    spending.close(8);
    expect(reported).toEqual([{ databaseMs: 50, bytes: 7 }]);
    expect(spending.leftMs).toBe(BUDGET_MS - 50);
  });

  test('of a statement that outlives the request is reported when the statement ends', () => {
    const spending = request();
    const end = spending.begin();
    spending.close(7);
    end(40);
    expect(reported).toEqual([
      { databaseMs: 0, bytes: 7 },
      { databaseMs: 40, bytes: 0 },
    ]);
  });

  test('is taken from the budget of the credential, also while statements run', () => {
    const [one, other] = [request(), request()];
    const end = one.begin();
    other.begin();
    jest.advanceTimersByTime(100);
    expect(one.leftMs).toBe(BUDGET_MS - 200);
    end(100);
    expect(other.leftMs).toBe(BUDGET_MS - 200);
  });

  test('makes the credential costly for a minute after a tenth of the budget', () => {
    request().begin()(BUDGET_MS / 10 - 1);
    expect(request().isCostly).toBe(false);
    request().begin()(1);
    expect(request().isCostly).toBe(true);
    // Begins a new window, in which no time is used yet.
    [account.usedMs, account.pendingMs] = [0, 0];
    jest.advanceTimersByTime(59_999);
    expect(request().isCostly).toBe(true);
    jest.advanceTimersByTime(1);
    expect(request().isCostly).toBe(false);
  });
});
