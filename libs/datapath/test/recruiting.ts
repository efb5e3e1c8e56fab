import {
  checkExpression,
  type CompiledExpression,
  compileExpression,
  type EvaluationContext,
  type ObjectModel,
  type ObjectShape,
  parseExpression,
} from '../src/index.js';
import { syntax } from './form-data.js';

const application: ObjectShape = {
  name: 'application',
  attributes: {
    id: { type: 'integer' },
    opportunity_id: { type: 'integer' },
    score: { type: 'decimal' },
    source: { type: 'text' },
    motivation: { type: 'rich_text' },
    is_internal: { type: 'boolean' },
    applied_date: { type: 'date' },
    created_dt: { type: 'datetime' },
    tags: { type: 'text', many: true },
  },
  relations: {
    user: { target: 'user' },
    opportunity: { target: 'opportunity' },
    main_process_state: { target: 'process_state' },
  },
  collections: ['formdata'],
};

const user: ObjectShape = {
  name: 'user',
  attributes: {
    id: { type: 'text' },
    firstname: { type: 'text' },
    lastname: { type: 'text' },
    birth_date: { type: 'date' },
  },
  relations: { Address: { target: 'address', many: true }, referrals: { target: 'user', many: true } },
};

const address: ObjectShape = {
  name: 'address',
  attributes: {
    City: { type: 'text' },
    PostalCode: { type: 'text' },
    floor: { type: 'integer' },
    since_dt: { type: 'datetime' },
  },
  relations: {},
};

const opportunity: ObjectShape = {
  name: 'opportunity',
  attributes: { id: { type: 'integer' }, title: { type: 'text' } },
  relations: { state: { target: 'state' } },
  collections: ['formdata'],
};

const processState: ObjectShape = { name: 'process_state', attributes: {}, relations: { state: { target: 'state' } } };
const state: ObjectShape = {
  name: 'state',
  attributes: { id: { type: 'integer' }, name: { type: 'text' } },
  relations: {},
};

const posting: ObjectShape = {
  name: 'posting',
  attributes: {
    id: { type: 'integer' },
    closing_date: { type: 'date' },
    opening_date: { type: 'date' },
    closing_dt: { type: 'datetime' },
    created_dt: { type: 'datetime' },
    not: { type: 'boolean' },
  },
  relations: { posting_loc_meth: { target: 'posting_loc_meth' } },
};

const postingLocMeth: ObjectShape = {
  name: 'posting_loc_meth',
  attributes: {},
  relations: { post_loc_vac: { target: 'post_loc_vac' } },
};
const postLocVac: ObjectShape = {
  name: 'post_loc_vac',
  attributes: {},
  relations: { job_board: { target: 'job_board' } },
};
const jobBoard: ObjectShape = {
  name: 'job_board',
  attributes: { id: { type: 'integer' }, code: { type: 'text' } },
  relations: {},
};

const shapes = new Map(
  [application, user, address, opportunity, processState, state, posting, postingLocMeth, postLocVac, jobBoard].map(
    (shape) => [shape.name, shape],
  ),
);

const formItems = new Map([
  ['application/21', { type: 'text' }],
  ['application/22', { type: 'text', many: true }],
  ['application/23', { type: 'date' }],
  ['opportunity/salary', { type: 'integer' }],
] as const);

/** A small object model of recruitment. */
export const model: ObjectModel = {
  type: (name) => shapes.get(name),
  ...syntax,
  keyedValue: (objectType, { parts: [item = ''] }) =>
    new Map<string, { type: 'text' | 'date' | 'integer'; many?: boolean }>(formItems).get(`${objectType}/${item}`),
};

export const roots = ['application', 'posting', 'opportunity'];

export function compile(text: string): CompiledExpression {
  return compileExpression(checkExpression(parseExpression(text, model), model, roots, { hasPast: true }));
}

export type Values = Readonly<Record<string, unknown>>;

/** A Saturday morning in UTC. It is Saturday evening in Auckland, and still Friday in Honolulu. */
export const NOW = new Date('2026-11-21T09:30:00.000Z');

/**
 * Makes a context from a map of datapaths to values. Any other datapath has no value. Reading a datapath whose value is
 * `FAILS` throws.
 */
export function contextOf(
  values: Values,
  { now = NOW, timeZone = 'UTC' }: Partial<EvaluationContext> = {},
): EvaluationContext {
  const valueOf = (datapath: string): unknown => {
    const value = Object.hasOwn(values, datapath) ? values[datapath] : undefined;
    if (value === FAILS) throw new Error('not available');
    return value;
  };
  return { valueOf, now, timeZone };
}

export const FAILS = Symbol('fails');

/** Returns whether an expression is true for the given values. */
export function holds(text: string, values: Values = {}, options: Partial<EvaluationContext> = {}): boolean {
  return compile(text).test(contextOf(values, options));
}
