import { replaceSystem, systemViolations, type Violation, type WriteBody } from '@ats/domain';
import { Injectable } from '@nestjs/common';
import { type ResourceWrites } from '../collections/resource-writes.js';
import { type Work } from '../collections/unit-of-work.js';

@Injectable()
export class SystemsService implements ResourceWrites {
  replace({ transaction, settings }: Work, id: number, body: WriteBody): Promise<void> {
    return replaceSystem(transaction, { id, body }, settings);
  }

  violations({ transaction, settings }: Work, given: WriteBody): Promise<readonly Violation[]> {
    return systemViolations(transaction, given, settings);
  }
}
