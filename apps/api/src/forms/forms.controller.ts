import { forms, formSchema } from '@ats/domain';
import { Controller } from '@nestjs/common';
import { pathsOf, ResourceController } from '../collections/resource-controller.js';
import { ResourceReader } from '../collections/resource-reader.js';
import { UnitOfWork } from '../collections/unit-of-work.js';
import { FormsService } from './forms.service.js';

const EXAMPLE = {
  name: 'Driving',
  resource: 'applications',
  sections: [
    {
      name: { en: 'Licences', de: 'Führerscheine' },
      items: [
        {
          key: 'has_licence',
          label: { en: 'Do you have a licence?', de: 'Haben Sie einen Führerschein?' },
          type: 'boolean',
          required: true,
        },
        {
          key: 'class',
          label: 'Class',
          type: 'single_select',
          options: [
            { value: 'B', label: 'Car' },
            { value: 'C', label: 'Lorry' },
          ],
          visible_if: 'application.formdata.has_licence == true',
        },
        { key: 'points', label: 'Points', type: 'integer', validation: { min: 0, max: 18 } },
      ],
    },
  ],
};

const IDS = `The \`id\` identifies a stored section, item or option. Without an \`id\`, the \`key\` identifies an item
and the \`value\` an option. This does not apply to a stored item or option whose \`id\` is elsewhere in the body.`;

@Controller(pathsOf(forms))
export class FormsController extends ResourceController(forms, {
  verbs: ['create', 'replace', 'remove'],
  schema: formSchema,
  example: EXAMPLE,
  errorCodes: ['in_use'],
  notes: {
    create: `A form without \`opportunity_ids\` applies to all objects of its \`resource\`.

Datapaths in \`visible_if\` begin with \`application\`, \`vacancy\` or \`event\`, and may name items of the form by
their keys. The credential needs the read scopes of these datapaths. Note that every client that may write the values
learns from \`not_visible\` whether the condition holds.`,
    replace: `${IDS}

An item that has values cannot change its type or be removed. An option that is chosen cannot be removed.`,
  },
}) {
  constructor(reader: ResourceReader, unitOfWork: UnitOfWork, writes: FormsService) {
    super(reader, unitOfWork, writes);
  }
}
