import {
  bodyViolations,
  type CertificateBody,
  CLIENT_CERTIFICATE_PURPOSE,
  clientCertificates,
  createClientCertificate,
  deleteClientCertificate,
  ownerStatement,
  replaceClientCertificate,
  SecretBox,
  type Violation,
  type WriteBody,
} from '@ats/domain';
import { message } from '@ats/message';
import { ENVIRONMENT } from '@ats/nest-app';
import { runStatement } from '@ats/postgres';
import { Inject, Injectable } from '@nestjs/common';
import { checkOwners, type Owners } from '../collections/owner.guard.js';
import { type ResourceWrites } from '../collections/resource-writes.js';
import { type Work } from '../collections/unit-of-work.js';
import { type Environment } from '../config/env.js';
import { type Scope } from '../vocabulary/scopes.js';
import { ownerFor, ownerViolations } from './owners.js';

@Injectable()
export class ClientCertificatesService implements ResourceWrites {
  readonly #box: SecretBox;

  constructor(@Inject(ENVIRONMENT) environment: Environment) {
    this.#box = new SecretBox(environment, CLIENT_CERTIFICATE_PURPOSE);
  }

  async create(work: Work, body: WriteBody): Promise<number> {
    const owner_id = (await ownerFor(work, clientCertificates, body)) ?? null;
    return createClientCertificate(work.transaction, { ...(body as CertificateBody), owner_id }, this.#box);
  }

  async replace(work: Work, id: number, body: WriteBody): Promise<void> {
    const before = await ownersOf(work, id);
    const present = { owner_id: before?.recruiter_id ?? null };
    const owner_id = await ownerFor(work, clientCertificates, body, present);
    const wanted = { ...(body as CertificateBody), ...(owner_id === undefined ? present : { owner_id }) };
    await replaceClientCertificate(work.transaction, { id, body: wanted, settings: work.settings }, this.#box);
  }

  async remove({ transaction }: Work, id: number): Promise<void> {
    await deleteClientCertificate(transaction, id);
  }

  async violations(work: Work, given: WriteBody, ownId?: number): Promise<readonly Violation[]> {
    const { owner_id: _, ...others } = given;
    return [
      ...(await bodyViolations(work.transaction, clientCertificates, others, ownId)),
      ...(await ownerViolations(work, clientCertificates, given)),
    ];
  }
}

/**
 * Checks that the credential may use a certificate for an endpoint.
 * @throws {Problem} 403 when another recruiter owns the certificate
 */
export async function checkMayUse(work: Work, certificateId: number): Promise<void> {
  const owners = await ownersOf(work, certificateId);
  const scope = clientCertificates.adminScope as Scope;
  if (owners)
    checkOwners(
      work,
      owners,
      scope,
      message`Another recruiter owns this certificate: using it needs a credential of the owner, or the scope ${scope}`,
    );
}

const ownersOf = async ({ transaction }: Work, id: number): Promise<Owners | undefined> =>
  (await runStatement<Owners>(transaction, ownerStatement(clientCertificates), [id]))[0];
