import {
  type MetricsRequest,
  momentSchema,
  notificationEndpoints,
  readEndpointMetrics,
  STATS_PERIODS,
  type StatsPeriod,
  type ViolationCode,
} from '@ats/domain';
import { Database } from '@ats/postgres';
import { message, type Message } from '@ats/message';
import { findOnly, quote } from '@ats/pagination';
import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { ResourceReader } from '../collections/resource-reader.js';
import { ItemId } from '../request/item-id.pipe.js';
import { invalidQuery, queryOf, ReadsQuery, unknownParameters } from '../request/query.js';
import { Operation, type QueryParameter, strictObject } from '../vocabulary/operation.js';
import { type ProblemDetail } from '../vocabulary/problem.js';
import { RequiresScope } from '../vocabulary/scopes.js';

const BUCKETS = Object.keys(STATS_PERIODS) as StatsPeriod[];
const MOMENT = { type: 'string', format: 'date-time' } as const;
const PARAMETERS: readonly QueryParameter[] = [
  {
    name: 'bucket',
    description: 'Length of the periods: 5 minutes, an hour or a day. Periods begin at full multiples in UTC.',
    schema: { type: 'string', enum: BUCKETS },
    required: true,
  },
  { name: 'since_dt', description: 'Only periods that begin at or after this time.', schema: MOMENT },
  { name: 'until_dt', description: 'Only periods that begin before this time.', schema: MOMENT },
];

const COUNT = { type: 'integer', minimum: 0 } as const;
const latency = (description: string) => ({ type: ['integer', 'null'], description });
const METRICS_SCHEMA = {
  name: 'notification_endpoint_metrics',
  schema: strictObject({
    items: {
      type: 'array',
      items: strictObject({
        from_dt: { ...MOMENT, description: 'The beginning of the period.' },
        attempts: { ...COUNT, description: 'Number of attempts that ended in the period.' },
        delivered: { ...COUNT, description: 'Number of successful attempts.' },
        failed: {
          type: 'object',
          description:
            'Number of failed attempts by `error`, as in the delivery log. Errors without attempts are absent.',
          additionalProperties: { type: 'integer', minimum: 1 },
        },
        latency_p50_ms: latency(
          'Time in milliseconds within which half of the successful attempts ended. The value is an estimate, and ' +
            'differs from the exact one by less than 19 %. Null without successful attempts.',
        ),
        latency_p99_ms: latency('As `latency_p50_ms`, for 99 % of the successful attempts.'),
      }),
    },
  }),
};

const ANSWER = { status: 200, description: 'The periods with attempts.', schema: METRICS_SCHEMA };

/** Serves the attempts of endpoints over time. Source: docs/reference/notifications.md, "Metrics of endpoints". */
@Controller('api/v1/notification_endpoints')
export class EndpointMetricsController {
  constructor(
    private readonly database: Database,
    private readonly reader: ResourceReader,
  ) {}

  @Get('metrics')
  @RequiresScope('notifications:read')
  @ReadsQuery()
  @Operation({
    tag: notificationEndpoints.name,
    action: 'get_total_metrics',
    summary: 'Read the metrics of all endpoints',
    description: 'Adds up the metrics of all endpoints by period, oldest first.',
    query: PARAMETERS,
    answer: ANSWER,
  })
  async ofAll(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.answer(reply, readParameters(queryOf(request)));
  }

  @Get(':id/metrics')
  @RequiresScope('notifications:read')
  @ReadsQuery()
  @Operation({
    tag: notificationEndpoints.name,
    summary: 'Read the metrics of an endpoint',
    description: `Counts the attempts of all subscriptions of the endpoint by period, oldest first. Periods without
attempts are left out. Test messages do not count.

Periods of 5 minutes are kept for ${STATS_PERIODS['5m'].keptDays} days, hours for
${STATS_PERIODS['1h'].keptDays} days, and days for ${STATS_PERIODS['1d'].keptDays} days.`,
    query: PARAMETERS,
    answer: ANSWER,
  })
  async metrics(
    @Param('id', ItemId) id: number,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.reader.mustExist(notificationEndpoints, id);
    await this.answer(reply, { endpointId: id, ...readParameters(queryOf(request)) });
  }

  private async answer(reply: FastifyReply, asked: MetricsRequest): Promise<void> {
    const items = await readEndpointMetrics((statement) => this.database.reading.query(statement), asked);
    void reply.header('content-type', 'application/json; charset=utf-8').send(JSON.stringify({ items }));
  }
}

/** Reads the query. @throws {Problem} 400 with the violations of all parameters */
function readParameters(query: URLSearchParams): Omit<MetricsRequest, 'endpointId'> {
  const place = { resource: METRICS_SCHEMA.name, path: '' };
  const names = PARAMETERS.map(({ name }) => name);
  const violations: ProblemDetail[] = unknownParameters(place.resource, query, names);
  const refuse = (parameter: string, info: Message, code: ViolationCode = 'invalid'): void =>
    void violations.push({ ...place, parameter, code, info });
  const read = (name: string): string | undefined => {
    const given = findOnly(query, name);
    if (typeof given === 'object') refuse(name, given.message);
    return typeof given === 'string' ? given : undefined;
  };
  const moment = (name: string): string | undefined => {
    const given = read(name);
    const parsed = given === undefined ? undefined : momentSchema.safeParse(given).data;
    if (given !== undefined && parsed === undefined)
      refuse(name, message`expected a timestamp as ${'YYYY-MM-DDThh:mm:ss.sssZ'}`);
    return parsed;
  };
  const bucket = read('bucket');
  const period = BUCKETS.find((name) => name === bucket);
  if (!query.has('bucket')) refuse('bucket', message`expected one of ${BUCKETS}`, 'missing');
  else if (bucket !== undefined && !period)
    refuse('bucket', message`expected one of ${BUCKETS}, found ${quote(bucket)}`);
  const [since, until] = [moment('since_dt'), moment('until_dt')];
  if (since !== undefined && until !== undefined && until <= since)
    refuse('until_dt', message`expected a timestamp after since_dt`);
  if (!period || violations.length > 0) throw invalidQuery(violations);
  return { period, since, until };
}
