import 'reflect-metadata';
import { Controller, Get, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { FilterOperator, Paginate, PaginationType, paginate } from 'nestjs-paginate';
import { DataSource, EntitySchema } from 'typeorm';

/**
 * A collection of applications with a Nest pagination library, as its README shows it: TypeORM, Fastify, and relations
 * that the library joins. It has no credentials. It counts all matching items for each page, as the library always
 * does.
 */
const { DATABASE_URL, PORT, POOL_SIZE } = process.env;
const id = { type: 'bigint', primary: true };
const text = { type: 'text', nullable: true };
const moment = { type: 'timestamptz', nullable: true };
const one = (target, column) => ({ type: 'many-to-one', target, joinColumn: { name: column } });

const User = new EntitySchema({
  name: 'users',
  columns: { id, firstname: text, lastname: text, email: text, lastname_folded: { ...text, select: false } },
});
const Opportunity = new EntitySchema({ name: 'opportunities', columns: { id, title: text } });
const State = new EntitySchema({
  name: 'states',
  columns: { id, state: text, phase: text, name: { type: 'jsonb' }, is_terminal: { type: 'boolean' } },
});
const Application = new EntitySchema({
  name: 'applications',
  columns: {
    id,
    uuid: { type: 'uuid' },
    created_dt: moment,
    updated_dt: moment,
    app_type: text,
    reference: text,
    posting_id: { type: 'bigint', nullable: true },
    copied_from_id: { type: 'bigint', nullable: true },
    state_entered_dt: moment,
    outcome: text,
    source: text,
    score: { type: 'numeric', nullable: true },
    tags: { type: 'text', array: true },
    rating: { type: 'integer', nullable: true },
    submitted_dt: moment,
    hired_dt: moment,
    rejected_dt: moment,
    withdrawn_dt: moment,
  },
  relations: {
    user: one('users', 'user_id'),
    opportunity: one('opportunities', 'opportunity_id'),
    state: one('states', 'state_id'),
  },
});

const source = await new DataSource({
  type: 'postgres',
  url: DATABASE_URL,
  applicationName: 'bench-paginate',
  poolSize: Number(POOL_SIZE),
  entities: [User, Opportunity, State, Application],
}).initialize();
const config = {
  sortableColumns: ['id', 'created_dt'],
  defaultSortBy: [['id', 'ASC']],
  relations: ['user', 'opportunity', 'state'],
  filterableColumns: {
    app_type: [FilterOperator.EQ],
    'state.state': [FilterOperator.EQ],
    'user.lastname_folded': [FilterOperator.ILIKE],
  },
  // Both options make statements cheaper. The first is right for relations to one object.
  paginationType: PaginationType.LIMIT_AND_OFFSET,
  optimizedCount: true,
  where: { app_type: 'vacancy_application' },
  defaultLimit: 100,
  maxLimit: 100,
};

class Applications {
  list(query) {
    return paginate(query, source.getRepository('applications'), config);
  }
}
Paginate()(Applications.prototype, 'list', 0);
Reflect.defineMetadata('design:paramtypes', [Object], Applications.prototype, 'list');
Get()(Applications.prototype, 'list', Object.getOwnPropertyDescriptor(Applications.prototype, 'list'));
Controller('applications')(Applications);
class App {}
Module({ controllers: [Applications] })(App);

const app = await NestFactory.create(App, new FastifyAdapter(), { logger: ['error'] });
app.enableShutdownHooks();
await app.listen(Number(PORT), '127.0.0.1');
