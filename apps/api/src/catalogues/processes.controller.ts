import {
  KNOWN_PROCESSES,
  KNOWN_STATES,
  NotFoundError,
  openList,
  OUTCOMES,
  processStatement,
  type ReadSettings,
} from '@ats/domain';
import { Database } from '@ats/postgres';
import { Controller, Get, Param, Res } from '@nestjs/common';
import { type FastifyReply } from 'fastify';
import { sendItem } from '../request/answer.js';
import { ItemId } from '../request/item-id.pipe.js';
import { Context, type RequestContext } from '../request/request-context.js';
import { Operation, strictObject } from '../vocabulary/operation.js';

const tag = 'reference';

const one = openList(KNOWN_STATES.state);
const key = { ...one, description: 'The key of the state, as `state` in all other answers and in moves.' };
const state = { ...one, description: 'The same as `key`.' };

const next = strictObject({
  id: { type: 'integer' },
  key,
  state,
  opportunity_kind: {
    type: ['string', 'null'],
    enum: ['vacancy', 'event', null],
    description: 'The kind of opportunity that may make the move. Null when the kind does not matter.',
  },
});

const processState = strictObject({
  id: { type: 'integer' },
  key,
  state,
  name: { type: 'string', description: 'The name in the language of the answer.' },
  phase: { ...openList(KNOWN_STATES.phase), description: 'The part of the process to which the state belongs.' },
  is_initial: { type: 'boolean', description: 'True for the state in which new items start.' },
  is_terminal: { type: 'boolean', description: 'True when no state may follow.' },
  outcome: {
    type: ['string', 'null'],
    enum: [...OUTCOMES, null],
    description: 'The outcome of an application in this state. Null for a state of opportunities.',
  },
  next: { type: 'array', items: next, description: 'The states that may follow, in the order of the process.' },
});

const PROCESS_SCHEMA = {
  name: 'process',
  schema: strictObject({
    id: { type: 'integer' },
    url: { type: 'string', format: 'uri' },
    key: {
      ...openList(KNOWN_PROCESSES),
      description: '`main` (applications to vacancies), `event_application`, `opportunity`, or a process of your own.',
    },
    name: { type: 'string', description: 'The name in the language of the answer.' },
    states: { type: 'array', items: processState },
  }),
};

/**
 * Serves the processes with their states. A credential needs no scope, because processes are part of the model, as
 * schemas are. Source: docs/reference/states.md, "Catalogue".
 */
@Controller('api/v1/processes')
export class ProcessesController {
  constructor(private readonly database: Database) {}

  @Get()
  @Operation({
    tag,
    summary: 'List the processes and their states',
    description:
      'The states of applications and opportunities, and the moves between them. Any credential may read them.',
    answer: {
      status: 200,
      description: 'All processes.',
      schema: { ...PROCESS_SCHEMA, isList: true },
      headers: ['ETag'],
    },
  })
  async list(@Res() reply: FastifyReply, @Context() { settings }: RequestContext): Promise<void> {
    sendItem(reply, `[${(await this.#read(settings)).join(',')}]`);
  }

  @Get(':id')
  @Operation({
    tag,
    action: 'get_process',
    summary: 'Read a process',
    answer: { status: 200, description: 'The process.', schema: PROCESS_SCHEMA, headers: ['ETag'] },
  })
  async item(
    @Param('id', ItemId) id: number,
    @Res() reply: FastifyReply,
    @Context() { settings }: RequestContext,
  ): Promise<void> {
    const [body] = await this.#read(settings, id);
    if (body === undefined) throw new NotFoundError('process', id);
    sendItem(reply, body);
  }

  async #read(settings: ReadSettings, id: number | null = null): Promise<readonly string[]> {
    const rows = await this.database.query<{ body: string }>(processStatement(settings), [id]);
    return rows.map(({ body }) => body);
  }
}
