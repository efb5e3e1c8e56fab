import { messageTemplates } from '@ats/domain';
import { Controller } from '@nestjs/common';
import { pathsOf, ResourceController } from '../collections/resource-controller.js';
import { ResourceReader } from '../collections/resource-reader.js';
import { UnitOfWork } from '../collections/unit-of-work.js';
import { MessageTemplatesService } from './message-templates.service.js';

const CHECKED =
  'Placeholders are checked: each must be a datapath from an application that exists and that the credential may read.';

@Controller(pathsOf(messageTemplates))
export class MessageTemplatesController extends ResourceController(messageTemplates, {
  verbs: ['create', 'replace', 'remove'],
  notes: {
    create: `${CHECKED} A message is made from it by \`POST …/comms\` of an application, with \`template_id\`.`,
    replace: `${CHECKED} What the body leaves out gets its default. Messages that were made before stay as they are.`,
    remove: 'Messages that were made from it stay.',
  },
  example: {
    name: 'Invitation',
    type: 'email',
    subject: 'Your application as {{ application.opportunity.title }}',
    body: '<p>Dear {{ application.user.firstname }},</p><p>we would like to meet you. Please answer with your reference {{ application.reference }}.</p>',
  },
}) {
  constructor(reader: ResourceReader, unitOfWork: UnitOfWork, writes: MessageTemplatesService) {
    super(reader, unitOfWork, writes);
  }
}
