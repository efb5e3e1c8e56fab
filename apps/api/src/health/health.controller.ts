import { type JsonSchema, withProperties } from '@ats/domain';
import { message } from '@ats/message';
import { ALIVE, CHECK_RESULTS, CHECKS, type HealthStatus, type Liveness } from '@ats/nest-app';
import { Controller, Get, Req, Res } from '@nestjs/common';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { sendProblem } from '../request/problem.filter.js';
import { Operation } from '../vocabulary/operation.js';
import { Problem } from '../vocabulary/problem.js';
import { Public } from '../vocabulary/scopes.js';
import { DATABASE_ROLE_WARNING } from './database-role.js';
import { HealthService } from './health.service.js';

const withStatus = (status: HealthStatus): JsonSchema => ({
  type: 'object',
  properties: { status: { const: status } },
  required: ['status'],
  additionalProperties: false,
});
const checks: JsonSchema = {
  type: 'object',
  properties: Object.fromEntries(CHECKS.map((check) => [check, { enum: CHECK_RESULTS }])),
  required: CHECKS,
  additionalProperties: false,
};
const warnings: JsonSchema = {
  type: 'array',
  description: 'Conditions that an operator should look at. They do not change `status`.',
  items: {
    type: 'object',
    properties: { code: { type: 'string', enum: [DATABASE_ROLE_WARNING] }, info: { type: 'string' } },
    required: ['code', 'info'],
    additionalProperties: false,
  },
};

@Public()
@Controller('health')
export class HealthController {
  constructor(private readonly health: HealthService) {}

  @Get('live')
  @Operation({
    tag: 'health',
    summary: 'Check whether the process is alive',
    answer: {
      status: 200,
      description: 'The process is alive.',
      schema: { name: 'health_live', schema: withStatus('ok') },
    },
  })
  live(): Liveness {
    return ALIVE;
  }

  @Get('ready')
  @Operation({
    tag: 'health',
    summary: 'Check whether the process can serve requests',
    answer: {
      status: 200,
      description: 'The database, its migrations and Redis are available.',
      schema: { name: 'health_ready', schema: withProperties(withStatus('ok'), { checks, warnings }) },
    },
    unavailable: {
      description: 'The process is not ready. `checks` shows which dependency is down.',
      schema: {
        name: 'health_not_ready',
        schema: withProperties(withStatus('unavailable'), {
          message: { type: 'string' },
          checks,
          warnings,
          request_id: { type: 'string' },
        }),
      },
    },
  })
  async ready(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const readiness = await this.health.readiness();
    if (readiness.status === 'ok') void reply.send(readiness);
    else
      sendProblem(request, reply, new Problem(503, message`The service is not ready`, { details: { ...readiness } }));
  }

  @Get('serving')
  @Operation({
    tag: 'health',
    summary: 'Check whether requests should be sent to this process',
    description: `This route is for load balancers. The answer is 503 until the database has all migrations, and again
from the moment the process receives SIGTERM. Otherwise it is 200, also when the database or Redis becomes unavailable
later. If it changed, the load balancer would remove all processes at the same time.`,
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
    if (await this.health.isServing()) void reply.send(ALIVE);
    else
      sendProblem(
        request,
        reply,
        new Problem(503, message`The service is not ready`, { details: { status: 'unavailable' } }),
      );
  }
}
