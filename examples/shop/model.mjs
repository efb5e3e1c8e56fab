/** One model of orders and customers. Datapath reads its names and types, search-query also its columns. */
import { defineSqlModel, sqlColumn } from '@ats/search-query';

export const model = defineSqlModel(
  {
    order: {
      table: 'orders',
      attributes: {
        id: sqlColumn('id', 'integer'),
        total: sqlColumn('total', 'integer'),
        status: sqlColumn('status', 'text'),
      },
      relations: {
        customer: {
          target: 'customer',
          column: 'customer_id',
          isRequired: true,
          join: (from, to) => `${to}.id = ${from}.customer_id`,
        },
      },
    },
    customer: {
      table: 'customers',
      attributes: { id: sqlColumn('id', 'integer'), name: sqlColumn('name', 'text') },
    },
  },
  {
    functions: [
      {
        name: 'UPPER',
        parameters: ['text'],
        result: 'text',
        call: (text) => text.toUpperCase(),
        sql: (text) => `upper(${text})`,
      },
    ],
  },
);

/** The properties of an order as clients see it: the JSON pointer and the datapath of each. */
export const representation = [
  { pointer: '/id', datapath: 'id', filterable: false },
  { pointer: '/total', datapath: 'total', filterable: false },
  { pointer: '/status', datapath: 'status', filterable: true },
  { pointer: '/customer/name', datapath: 'customer.name', filterable: true },
];

const customers = [
  { id: 1, name: 'Ada' },
  { id: 2, name: 'Grace' },
];
export const orders = [
  { id: 1, total: 30, status: 'paid', customer: customers[0] },
  { id: 2, total: 250, status: 'open', customer: customers[0] },
  { id: 3, total: 120, status: 'paid', customer: customers[1] },
  { id: 4, total: 800, status: 'paid', customer: customers[0] },
];
