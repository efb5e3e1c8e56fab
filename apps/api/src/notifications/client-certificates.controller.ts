import { clientCertificates, MAX_PEM_LENGTH, optionalProperty, writeSchema } from '@ats/domain';
import { Controller } from '@nestjs/common';
import { z } from 'zod';
import { pathsOf, ResourceController } from '../collections/resource-controller.js';
import { ResourceReader } from '../collections/resource-reader.js';
import { UnitOfWork } from '../collections/unit-of-work.js';
import { ClientCertificatesService } from './client-certificates.service.js';

const schema = writeSchema(clientCertificates.type).extend({
  private_key: optionalProperty(z.string().min(1).max(MAX_PEM_LENGTH)).describe(
    'In PEM without a password. Never shown. Without it, the present key stays.',
  ),
});

/** Serves client certificates. Source: docs/reference/notifications.md, "Client certificates". */
@Controller(pathsOf(clientCertificates))
export class ClientCertificatesController extends ResourceController(clientCertificates, {
  verbs: ['create', 'replace', 'remove'],
  schema,
}) {
  constructor(reader: ResourceReader, unitOfWork: UnitOfWork, writes: ClientCertificatesService) {
    super(reader, unitOfWork, writes);
  }
}
