import { replaceSystem, systemViolations, type Violation, type WriteBody } from '@ats/domain';
import { message } from '@ats/message';
import { Injectable } from '@nestjs/common';
import { type ResourceWrites } from '../collections/resource-writes.js';
import { type Work } from '../collections/unit-of-work.js';
import { checkScope, type Scope } from '../vocabulary/scopes.js';

/**
 * For each setting, the scope that its change needs beside `systems:write`. The retention rule anonymises candidates.
 */
const FURTHER_SCOPES: Readonly<Record<string, Scope>> = {
  candidate_retention_days: 'candidates:write',
  retention_notice_days: 'candidates:write',
};

@Injectable()
export class SystemsService implements ResourceWrites {
  /** Changes settings. @throws {Problem} 403 when the change of a setting needs a scope that the credential lacks */
  async replace({ transaction, settings, scopes }: Work, id: number, body: WriteBody): Promise<void> {
    for (const name of await replaceSystem(transaction, { id, body }, settings)) {
      const scope = FURTHER_SCOPES[name];
      if (scope) checkScope(scopes, scope, message`The credential lacks the scope ${scope}, which ${name} needs`);
    }
  }

  violations({ transaction, settings }: Work, given: WriteBody): Promise<readonly Violation[]> {
    return systemViolations(transaction, given, settings);
  }
}
