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

const IDS = `An \`id\` in the body identifies a stored section, item or option. An item without an \`id\` replaces the
stored item with the same \`key\`. An option without an \`id\` replaces the stored option with the same \`value\`. If
another element of the body has the \`id\` of that stored item or option, a new one is created instead.`;

@Controller(pathsOf(forms))
export class FormsController extends ResourceController(forms, {
  verbs: ['create', 'replace', 'remove'],
  schema: formSchema,
  example: EXAMPLE,
  errorCodes: ['in_use'],
  notes: {
    create: `A form without \`opportunity_ids\` applies to all objects of its \`resource\`.

Datapaths in \`visible_if\` begin with \`application\`, \`vacancy\` or \`event\`, and may name items of the form by
their keys. The credential needs the read scopes of these datapaths. Every client that may write the values can find
out whether a condition holds, because the answer is \`not_visible\` when it does not.`,
    replace: `${IDS}

An item that has values cannot change its type or be removed. An option that occurs in stored
values cannot be removed.`,
  },
}) {
  constructor(reader: ResourceReader, unitOfWork: UnitOfWork, writes: FormsService) {
    super(reader, unitOfWork, writes);
  }
}
