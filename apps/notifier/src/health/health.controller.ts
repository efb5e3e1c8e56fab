import { Database } from '@ats/postgres';
import { InjectQueue } from '@nestjs/bull';
import { Controller, Get, HttpCode, HttpException, HttpStatus } from '@nestjs/common';
import { type Queue } from 'bull';
import { Readings } from '../metrics/readings.js';
import { checkReadiness, type Readiness } from './readiness.js';

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
  live(): { readonly status: 'live' } {
    return { status: 'live' };
  }

  /** The process is ready for work. Warnings do not change the status. */
  @Get('ready')
  async ready(): Promise<Readiness> {
    const readiness = await checkReadiness(this.database, this.queue, this.readings);
    if (readiness.status !== 'ready') throw new HttpException(readiness, HttpStatus.SERVICE_UNAVAILABLE);
    return readiness;
  }
}
