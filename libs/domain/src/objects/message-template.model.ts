import { type NamedAttribute, richText, text } from '../vocabulary/attribute.js';
import { identity, urlIn } from '../vocabulary/identity.js';
import { objectType } from '../vocabulary/object-type.js';
import { resource } from '../vocabulary/resource.js';
import { filledRichTextSchema } from '../vocabulary/value-schema.js';
import { COMMUNICATION_TYPES, subjectSchema } from './communication.model.js';

const filled =
  (options: Parameters<typeof richText>[0]): NamedAttribute =>
  (name) => ({ ...richText(options)(name), schema: filledRichTextSchema });

/** A text with placeholders that are filled in from an application. Source: CONTRACT.md 5, `message_templates`. */
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
      description: 'Of the messages made from it; `email` unless told.',
    }),
    subject: text({
      shown: true,
      write: 'required',
      schema: subjectSchema,
      description:
        'With placeholders such as `{{ application.opportunity.title }}`; line breaks in their values become spaces.',
    }),
    body: filled({
      shown: true,
      write: 'required',
      description:
        'With placeholders such as `{{ application.user.firstname }}`, any datapath from an application. Their values are escaped, those that are rich text keep their formatting, and a value that is missing is empty. `\\{{` stands for two braces.',
    }),
  },
});

export const messageTemplates = resource({
  name: 'message_templates',
  type: messageTemplate,
  describe: {
    group: 'Recruitment',
    title: 'Message templates',
    text: `Texts with placeholders such as \`{{ application.user.firstname }}\`, which are filled
in for one application at a time. A placeholder may be any datapath. Values are escaped.`,
  },
  scope: 'communications',
  narrowedBy: ['type'],
});
