// A shop with orders and customers. It uses five libraries from their packages: node shop.mjs
import { compile, valuesOf } from '@ats/datapath';
import { DestinationGuard, DestinationRefusedError } from '@ats/destination-guard';
import { CursorCodec, linkHeader, parsePageParameters } from '@ats/pagination';
import { compileConditionSql, compileSortSql, formatSearchViolation, readCollectionQuery } from '@ats/search-query';
import { compileConditionClosure } from '@ats/search-query/testing';
import { createSigningKey, sign, SignatureMismatchError, verify } from '@ats/webhook-signing';
import { model, orders, representation } from './model.mjs';

// 1. search-query: a client searches and sorts. The same condition runs on PostgreSQL and in memory.
const url = 'https://shop.example/orders?search=status=paid&sort=total!desc&per_page=1';
const asked = new URL(url).searchParams;
const query = readCollectionQuery(
  { model, root: 'order', representation },
  { search: asked.getAll('search'), sort: asked.getAll('sort') },
);
if (query.violations) throw new Error(query.violations.map(formatSearchViolation).join('\n'));
const where = compileConditionSql(query.condition, { model, alias: 't', settings: {} });
const { orderBy } = compileSortSql(query.sort, { model, root: 'order', alias: 't', settings: {} });
console.log(`SELECT … WHERE ${where.text} ORDER BY ${orderBy}`, where.parameters);
const matches = compileConditionClosure(query.condition, { model });
const found = orders.filter((order) => matches(order)).sort((a, b) => b.total - a.total);
console.log(
  'found',
  found.map(({ id }) => id),
);

// 2. pagination: the answer has one order, and the Link header leads to the next page.
const cursors = new CursorCodec('a secret of the shop with 32 letters');
const page = parsePageParameters(asked);
if (page.violations) throw new Error('the cursor is invalid, so the page does not exist');
const [last] = found.slice(0, page.perPage);
const after = cursors.seal({ keys: [String(last.total), String(last.id)] }, 'orders');
const header = linkHeader({ url, page: page.page, perPage: page.perPage, total: found.length, after });
const next = new URL(/<([^>]*)>; rel="next"/.exec(header)[1]);
console.log('next page', next.searchParams.get('page'), cursors.open(next.searchParams.get('after'), 'orders').keys);

// 3. datapath: a customer of the shop wants a message for large orders.
const topic = compile('order.total >= 100 AND UPPER(order.customer.name) == "ADA"', model, ['order']);
const context = (order) => ({ valueOf: valuesOf({ order }), now: new Date('2026-11-21T09:00:00Z'), timeZone: 'UTC' });
const wanted = orders.filter((order) => topic.test(context(order)));
console.log(
  'wanted',
  wanted.map(({ id }) => id),
);

// 4. destination-guard: the URL of a customer must not lead into the network of the shop.
const guard = new DestinationGuard({
  allowHttp: false,
  allowPrivate: false,
  resolve: (name) => Promise.resolve([name === 'hooks.example.com' ? '192.0.43.8' : '10.0.0.7']),
});
for (const destination of ['https://hooks.example.com/orders', 'https://intranet.example.com/']) {
  try {
    console.log('send to', (await guard.vet(destination)).addresses);
  } catch (error) {
    if (!(error instanceof DestinationRefusedError)) throw error;
    console.log('refused', error.code);
  }
}

// 5. webhook-signing: the message is signed, and the receiver finds out that a changed one is forged.
const key = createSigningKey();
const now = new Date();
const body = JSON.stringify({ order: wanted[0].id });
const headers = { 'x-service-notify-signature': sign({ body, key, sentAt: now }) };
const received = { body: Buffer.from(body), headers, keys: [key], toleranceSeconds: 300, now };
console.log('genuine, key', verify(received).keyIndex);
try {
  verify({ ...received, body: '{"order":4}' });
} catch (error) {
  if (!(error instanceof SignatureMismatchError)) throw error;
  console.log('forged', error.code);
}
