import { events, vacancies, writeSchema } from '@ats/domain';
import { message } from '@ats/message';
import { inOrder } from '../collections/order.js';

const dates = { first: 'opening_date', second: 'closing_date', info: message`expected a date not before opening_date` };

/** The body of a new or replaced vacancy. */
export const vacancySchema = inOrder(writeSchema(vacancies.type), [
  dates,
  { first: 'salary_min', second: 'salary_max', info: message`expected an amount not below salary_min` },
]);

/** The body of a new or replaced event. */
export const eventSchema = inOrder(writeSchema(events.type), [
  dates,
  { first: 'start_dt', second: 'end_dt', info: message`expected a timestamp not before start_dt` },
]);
