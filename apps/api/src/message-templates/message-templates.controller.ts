import { messageTemplates } from '@ats/domain';
import { Controller } from '@nestjs/common';
import { pathsOf, ResourceController } from '../collections/resource-controller.js';
import { ResourceReader } from '../collections/resource-reader.js';
import { UnitOfWork } from '../collections/unit-of-work.js';
import { MessageTemplatesService } from './message-templates.service.js';

const CHECKED = `Each placeholder must be an existing datapath with the root \`application\`. The credential needs the
read scopes of all these datapaths.`;

@Controller(pathsOf(messageTemplates))
export class MessageTemplatesController extends ResourceController(messageTemplates, {
  verbs: ['create', 'replace', 'remove'],
  notes: {
    create: `${CHECKED} To send a message from the template, use \`POST …/comms\` of an application with
\`template_id\`.`,
    replace: `${CHECKED} Properties that the body leaves out get their default. Earlier communications from this
template do not change.`,
    remove: 'Communications that were made from this template stay.',
  },
  example: {
    name: 'Invitation',
    type: 'email',
    subject: 'Your application as {{ application.opportunity.title }}',
    body: `<p>Dear {{ application.user.firstname }},</p><p>we would like to meet you. \
Please answer with your reference {{ application.reference }}.</p>`,
  },
}) {
  constructor(reader: ResourceReader, unitOfWork: UnitOfWork, writes: MessageTemplatesService) {
    super(reader, unitOfWork, writes);
  }
}
