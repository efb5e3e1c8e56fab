/** What a look at a message answers. */
export const PREVIEW_SCHEMA = {
  name: 'communications_previewed',
  schema: {
    type: 'object',
    properties: {
      subject: { type: 'string', description: 'One line of plain text.' },
      body: { type: 'string', description: 'Plain text, with `rich_txt_fmt=html` HTML.' },
    },
    required: ['subject', 'body'],
    additionalProperties: false,
  },
};
