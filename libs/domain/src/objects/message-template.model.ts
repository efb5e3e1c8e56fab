import { type NamedAttribute, richText, text } from '../vocabulary/attribute.js';
import { identity, urlIn } from '../vocabulary/identity.js';
import { objectType } from '../vocabulary/object-type.js';
import { resource } from '../vocabulary/resource.js';
import { filledRichTextSchema } from '../vocabulary/value-schema.js';
import { COMMUNICATION_TYPES, subjectSchema } from './communication.model.js';

const filled =
  (options: Parameters<typeof richText>[0]): NamedAttribute =>
  (name) => ({ ...richText(options)(name), schema: filledRichTextSchema });

/** A text with placeholders for values of an application. Source: docs/reference/communications.md. */
export const messageTemplate = objectType({
  name: 'message_template',
  table: 'message_templates',
  isSmall: true,
  searchText: 'search_text',
  scopes: ['communications'],
  properties: {
    ...identity(urlIn('message_templates')),
    name: text({ shown: true, write: 'required' }),
    type: text({
      shown: true,
      write: 'optional',
      values: COMMUNICATION_TYPES,
      description: 'The type of the messages made from the template. Defaults to `email`.',
    }),
    subject: text({
      shown: true,
      content: 'template',
      write: 'required',
      schema: subjectSchema,
      description:
        'May have placeholders such as `{{ application.opportunity.title }}`. Line breaks in values become spaces.',
    }),
    body: filled({
      shown: true,
      content: 'template',
      write: 'required',
      description:
        'May have placeholders such as `{{ application.user.firstname }}`, with any datapath from an application. ' +
        'Values are escaped, rich text keeps its formatting, and a missing value is empty. ' +
        '`\\{{` stands for two braces.',
    }),
  },
});

export const messageTemplates = resource({
  name: 'message_templates',
  type: messageTemplate,
  quotas: [{ most: 2_000 }],
  describe: {
    group: 'Recruitment',
    title: 'Message templates',
    text: `Texts with placeholders such as \`{{ application.user.firstname }}\`, which are filled
in for one application at a time. A placeholder may be any datapath. Values are escaped.`,
  },
  scope: 'communications',
  attributeFilters: ['type'],
});
