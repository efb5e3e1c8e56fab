import { declareProcess, schemas, variable } from '@ats/configuration';

const origin = schemas.readBy(
  (text) => (/^https?:\/\/[^/?#@*\s;]+$/i.test(text) && URL.canParse(text) ? new URL(text).origin : null),
  'must be an origin such as https://ats.example.com, without a path',
);

/** The environment variables of the container with the console. */
export const configuration = declareProcess({
  name: 'console',
  about: 'the web console in a container of its own',
  variables: {
    CONSOLE_PORT: variable({
      schema: schemas.port,
      description: 'The port on which the container of the console listens.',
      default: '3003',
    }),
    CONSOLE_API_URL: variable({
      schema: origin,
      description:
        'The origin of the API that the console calls. The API must list the origin of the console in CORS_ORIGINS.',
      whenAbsent: 'the console and the API have the same origin, behind one proxy',
      example: 'https://ats.example.com',
    }),
  },
});
