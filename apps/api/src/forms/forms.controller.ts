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

const IDS =
  'Sections, items and options keep their ids where they are sent along; without an id an item is the one of its `key`, an option that of its `value`, unless another part is sent with that id.';

@Controller(pathsOf(forms))
export class FormsController extends ResourceController(forms, {
  verbs: ['create', 'replace', 'remove'],
  schema: formSchema,
  example: EXAMPLE,
  errorCodes: ['in_use'],
  notes: {
    create:
      'A form without `opportunity_ids` is for all objects of its `resource`. Conditions of `visible_if` begin with `application`, `vacancy` or `event`, and can name items of the form by their keys. Writing one needs the read scopes of all that it looks through; whether the item is visible shows to all who may write its values.',
    replace: `${IDS} While there are values, an item keeps its type, and neither it nor a chosen option can go.`,
  },
}) {
  constructor(reader: ResourceReader, unitOfWork: UnitOfWork, writes: FormsService) {
    super(reader, unitOfWork, writes);
  }
}
