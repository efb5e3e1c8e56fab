import { postings, writeSchema } from '@ats/domain';
import { message } from '@ats/message';
import { inOrder } from '../collections/order.js';

/** The body of a new or replaced posting. */
export const postingSchema = inOrder(writeSchema(postings.type), [
  { first: 'opening_date', second: 'closing_date', info: message`expected a date not before opening_date` },
]);
