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
import { type ResourceWrites } from '../collections/resource-writes.js';
import { type Work } from '../collections/unit-of-work.js';
import { checkDatapathScopes } from '../vocabulary/scopes.js';

@Injectable()
export class FormsService implements ResourceWrites {
  async create({ transaction, scopes }: Work, body: WriteBody): Promise<number> {
    const id = await createForm(transaction, body);
    checkConditionScopes(scopes, body);
    return id;
  }

  async replace({ transaction, scopes, settings }: Work, id: number, body: WriteBody): Promise<void> {
    await replaceForm(transaction, id, body, settings);
    checkConditionScopes(scopes, body);
  }

  remove({ transaction }: Work, id: number): Promise<void> {
    return deleteForm(transaction, id);
  }

  violations({ transaction }: Work, given: WriteBody, ownId?: number): Promise<readonly Violation[]> {
    return formViolations(transaction, given, ownId);
  }
}

/**
 * @throws {Problem} 403 when a condition reads a resource that the credential may not read
 * Source: docs/reference/datapaths.md, "Scopes".
 */
function checkConditionScopes(scopes: ReadonlySet<string>, body: WriteBody): void {
  const { root, datapaths } = formDatapaths(body);
  checkDatapathScopes(scopes, root, datapaths, findResource(String(body['resource']))?.leadsTo);
}
