import { type SearchField, type SearchSubject } from '../src/lib/model/search-model.js';
import { formData } from './form-data.js';
import { type SqlAttribute, type SqlObject, type SqlObjectModel } from '../src/lib/sql/sql-model.js';

const column = (name: string, type: SqlAttribute['type'] = 'text', more: Partial<SqlAttribute> = {}): SqlAttribute => ({
  type,
  sql: (alias) => `${alias}.${name}`,
  ...more,
});

const id = column('id', 'integer', { isRequired: true });

/** A model with every kind of attribute and relation. */
const types: Readonly<Record<string, SqlObject>> = {
  order: {
    name: 'order',
    table: 'orders',
    collections: ['formdata'],
    attributes: {
      id,
      uuid: column('uuid', 'text', { sqlType: 'uuid' }),
      note: column('note'),
      contact: column('contact', 'text', {
        format: 'email',
        foldedSql: (alias) => `${alias}.contact_folded`,
      }),
      total: column('total', 'decimal'),
      is_paid: column('is_paid', 'boolean'),
      due: column('due', 'date'),
      created_dt: column('created_dt', 'datetime'),
      tags: column('tags', 'text', { many: true }),
      label: { type: 'text', sql: (alias, { prefix }) => `${prefix} || ${alias}.id` },
    },
    relations: {
      customer: {
        target: 'customer',
        column: 'customer_id',
        keyColumn: 'customer_id',
        isRequired: true,
        join: (from, to) => `${to}.id = ${from}.customer_id`,
      },
      coupon: {
        target: 'coupon',
        column: 'coupon_id',
        keyColumn: 'coupon_id',
        join: (from, to) => `${to}.id = ${from}.coupon_id`,
      },
      payer: { target: 'customer', join: (from, to) => `${to}.id = ${from}.payer_id` },
      delivery: { target: 'delivery' },
      lines: { target: 'line', many: true, ownerColumn: 'order_id', join: (from, to) => `${to}.order_id = ${from}.id` },
      gift: {
        target: 'coupon',
        keyColumn: 'id',
        where: (to) => `${to}.is_gift`,
        join: (from, to) => `${to}.id = ${from}.id AND ${to}.is_gift`,
      },
    },
  },
  customer: {
    name: 'customer',
    table: 'customers',
    attributes: {
      id,
      name: column('name', 'text', { isRequired: true, foldedSql: (alias) => `${alias}.name_folded` }),
    },
    relations: { Phone: { target: 'phone', many: true, join: (from, to) => `${to}.customer_id = ${from}.id` } },
  },
  coupon: { name: 'coupon', table: 'coupons', isSmall: true, attributes: { id, code: column('code') }, relations: {} },
  delivery: {
    name: 'delivery',
    attributes: { sent_dt: column('delivery_sent_dt', 'datetime') },
    relations: {
      carrier: { target: 'customer', column: 'carrier_id', join: (from, to) => `${to}.id = ${from}.carrier_id` },
    },
  },
  line: {
    name: 'line',
    table: 'lines',
    searchText: { sql: (alias) => `${alias}.search_text`, attributes: ['text'] },
    attributes: { id, text: column('text') },
    relations: {
      product: { target: 'product', column: 'product_id', join: (from, to) => `${to}.id = ${from}.product_id` },
    },
  },
  product: { name: 'product', table: 'products', attributes: { id, name: column('name') }, relations: {} },
  answer: { name: 'answer', table: 'answers', attributes: { value: column('text_value') }, relations: {} },
  choice: {
    name: 'choice',
    table: 'answers',
    attributes: { value: column('values', 'text', { many: true }) },
    relations: {},
  },
  phone: {
    name: 'phone',
    table: 'phones',
    attributes: { Label: column('label', 'text', { values: ['home', 'work'] }), Number: column('number') },
    relations: {},
  },
};

/** Maps the id of each form item to the type of its values. */
const items: Readonly<Record<string, string>> = { 5: 'answer', 6: 'choice' };

export const model: SqlObjectModel = {
  type: (name) => types[name],
  collections: [formData],
  keyedValue: (_owner, { parts: [item = ''] }) => types[items[item] ?? '']?.attributes['value'],
  keyedRelation: (_owner, { parts }) => {
    const target = items[parts[0] ?? ''];
    const where = (to: string): string => `${to}.place = '${parts.join(':')}'`;
    return target === undefined
      ? undefined
      : { target, ownerColumn: 'order_id', where, join: (from, to) => `${to}.order_id = ${from}.id AND ${where(to)}` };
  },
};

const field = (pointer: string, datapath = pointer.slice(1).replaceAll('/', '.'), filterable = false): SearchField => ({
  pointer,
  datapath,
  filterable,
});

export const orders: SearchSubject = {
  model,
  root: 'order',
  representation: [
    field('/id'),
    field('/uuid'),
    field('/note', 'note', true),
    field('/total'),
    field('/is_paid'),
    field('/due', 'due', true),
    field('/created_dt'),
    field('/tags', 'tags', true),
    field('/customer/id'),
    field('/customer/name', 'customer.name', true),
    field('/delivery/sent_dt'),
    field('/delivery/carrier/id'),
    field('/lines/*/text', 'lines.text', true),
    field('/a~1b/c~0d', 'label'),
  ],
};

export const customers: SearchSubject = {
  model,
  root: 'customer',
  labelAttribute: 'Label',
  representation: [
    field('/id'),
    field('/name'),
    field('/Phone/*/Label', 'Phone.Label'),
    field('/Phone/*/Number', 'Phone.Number'),
  ],
};
