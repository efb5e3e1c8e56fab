import {
  createForm,
  deleteForm,
  findResource,
  formDatapaths,
  formViolations,
  replaceForm,
  type WriteBody,
  type Violation,
} from '@ats/domain';
import { Injectable } from '@nestjs/common';
import { checkTextScopes } from '../collections/change-item.js';
import { type ResourceWrites } from '../collections/resource-writes.js';
import { type Work } from '../collections/unit-of-work.js';

@Injectable()
export class FormsService implements ResourceWrites {
  readonly texts = ['resource', 'sections'];

  async create(work: Work, body: WriteBody): Promise<number> {
    const id = await createForm(work.transaction, body);
    checkConditionScopes(work, body);
    return id;
  }

  async replace(work: Work, id: number, body: WriteBody): Promise<void> {
    await replaceForm(work.transaction, id, body, work.settings);
    checkConditionScopes(work, body);
  }

  remove({ transaction }: Work, id: number): Promise<void> {
    return deleteForm(transaction, id);
  }

  violations({ transaction }: Work, given: WriteBody, ownId?: number): Promise<readonly Violation[]> {
    return formViolations(transaction, given, ownId);
  }
}

/**
 * Checks the scopes of all conditions in a body.
 * @throws {Problem} 403 when a condition reads a resource that the credential may not read
 * Source: docs/reference/datapaths.md, "Scopes".
 */
function checkConditionScopes(work: Work, body: WriteBody): void {
  const { root, datapaths } = formDatapaths(body);
  checkTextScopes(work, root, datapaths, findResource(String(body['resource']))?.leadsTo);
}
