import { type JsonSchema, withProperties } from '@ats/domain';
import { message } from '@ats/message';
import { Controller, Get, Req, Res } from '@nestjs/common';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { sendProblem } from '../request/problem.filter.js';
import { Operation } from '../vocabulary/operation.js';
import { Problem } from '../vocabulary/problem.js';
import { Public } from '../vocabulary/scopes.js';
import { HealthService } from './health.service.js';

const withStatus = (status: string): JsonSchema => ({
  type: 'object',
  properties: { status: { const: status } },
  required: ['status'],
  additionalProperties: false,
});
const check = { enum: ['up', 'down'] };
const checks: JsonSchema = {
  type: 'object',
  properties: { database: check, migrations: check, redis: check },
  required: ['database', 'migrations', 'redis'],
  additionalProperties: false,
};

@Public()
@Controller('health')
export class HealthController {
  constructor(private readonly health: HealthService) {}

  @Get('live')
  @Operation({
    tag: 'health',
    summary: 'Is the process alive?',
    answer: {
      status: 200,
      description: 'The process is alive.',
      schema: { name: 'health_live', schema: withStatus('ok') },
    },
  })
  live(): { readonly status: 'ok' } {
    return { status: 'ok' };
  }

  @Get('ready')
  @Operation({
    tag: 'health',
    summary: 'Can it serve requests?',
    answer: {
      status: 200,
      description: 'The database, its migrations and Redis are available.',
      schema: { name: 'health_ready', schema: withProperties(withStatus('ok'), { checks }) },
    },
    unavailable: {
      description: 'The process is not ready. `checks` shows which dependency is down.',
      schema: {
        name: 'health_not_ready',
        schema: withProperties(withStatus('unavailable'), {
          message: { type: 'string' },
          checks,
          request_id: { type: 'string' },
        }),
      },
    },
  })
  async ready(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const checks = await this.health.check();
    const isReady = !this.health.isEnding && Object.values(checks).every((check) => check === 'up');
    if (isReady) void reply.send({ status: 'ok', checks });
    else
      sendProblem(
        request,
        reply,
        new Problem(503, message`The service is not ready`, { details: { status: 'unavailable', checks } }),
      );
  }

  @Get('serving')
  @Operation({
    tag: 'health',
    summary: 'Should requests be sent to this process?',
    description: `This route is for load balancers. The answer is 503 while the process starts and the database
lacks migrations, and again from the moment the process receives SIGTERM. A database or Redis that becomes unavailable
later does not change the answer: otherwise the load balancer would remove all processes at the same time.`,
    answer: {
      status: 200,
      description: 'The process accepts requests.',
      schema: { name: 'health_serving', schema: withStatus('ok') },
    },
    unavailable: {
      description: 'The process is starting or shutting down.',
      schema: {
        name: 'health_not_serving',
        schema: withProperties(withStatus('unavailable'), {
          message: { type: 'string' },
          request_id: { type: 'string' },
        }),
      },
    },
  })
  async serving(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    if (await this.health.isServing()) void reply.send({ status: 'ok' });
    else
      sendProblem(
        request,
        reply,
        new Problem(503, message`The service is not ready`, { details: { status: 'unavailable' } }),
      );
  }
}
