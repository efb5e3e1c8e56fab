import { ALIVE, type Liveness, NOT_READY, type Readiness, readinessOf, runHealthChecks } from '@ats/nest-app';
import { Database } from '@ats/postgres';
import { InjectQueue } from '@nestjs/bull';
import { Controller, Get, HttpCode, HttpException, HttpStatus } from '@nestjs/common';
import { type Queue } from 'bull';
import { Readings } from '../metrics/readings.js';
import { readWarnings } from './warnings.js';

@Controller('health')
export class HealthController {
  constructor(
    private readonly database: Database,
    @InjectQueue('hot') private readonly queue: Queue,
    private readonly readings: Readings,
  ) {}

  /** The process is alive. */
  @Get('live')
  @HttpCode(HttpStatus.OK)
  live(): Liveness {
    return ALIVE;
  }

  /** The process is ready for work. Warnings do not change the status. */
  @Get('ready')
  async ready(): Promise<Readiness> {
    const [checks, warnings] = await Promise.all([
      // Checks Redis with a command of the queue, which a Redis Cluster answers from the node that has the queue.
      runHealthChecks(this.database, () => this.queue.getWaitingCount().then(() => true)),
      readWarnings(this.readings),
    ]);
    const readiness = readinessOf(checks, warnings);
    if (readiness.status === 'ok') return readiness;
    throw new HttpException({ message: NOT_READY, ...readiness }, HttpStatus.SERVICE_UNAVAILABLE);
  }
}
