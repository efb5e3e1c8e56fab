import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { POOL_SIZE, startServer } from '../servers.mjs';

const SERVER = 'paginate-server.mjs';
const pathOf = (query) => `/applications?${new URLSearchParams({ limit: '100', ...query })}`;

/**
 * nestjs-paginate with TypeORM and Fastify.
 * @type {import('../peers.mjs').Peer}
 */
export const paginate = {
  name: 'nestjs-paginate',
  start({ url }, folder) {
    const script = join(folder, SERVER);
    copyFileSync(join(import.meta.dirname, SERVER), script);
    const environment = { DATABASE_URL: url, POOL_SIZE: String(POOL_SIZE) };
    return startServer({ name: this.name, script, environment, readyAt: pathOf({ limit: '1' }) });
  },
  page: (number) => pathOf({ page: String(number) }),
  search: (state, lastname) =>
    `${pathOf({ 'filter.state.state': `$eq:${state}`, 'filter.user.lastname_folded': `$ilike:${lastname}` })}&sortBy=created_dt:DESC&sortBy=id:ASC`,
  itemOf: ({ id, state, user, opportunity }) => [id, state.state, user.lastname, opportunity.title],
};
