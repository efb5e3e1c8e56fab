// @ts-check

/**
 * An entry of `packages` in package-lock.json.
 * @typedef {object} LockedPackage
 * @property {string} [version]
 * @property {string} [license]
 * @property {string} [integrity]
 * @property {boolean} [dev]
 * @property {boolean} [devOptional]
 * @property {boolean} [link]
 * @property {boolean} [optional]
 * @property {readonly string[]} [cpu]
 */

/**
 * Licences (SPDX ids) under which a package may be part of what we ship. These licences allow use in closed source, and
 * require at most a notice. Add an id only after reading the text of the licence.
 */
const permissive = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'Python-2.0',
  'Unlicense',
  'Zlib',
]);

/**
 * True when an SPDX expression lets us choose permissive licences only. An expression that mixes AND and OR, or has
 * exceptions (WITH), is false: a person must read it.
 * @param {string} expression
 */
export function isPermissive(expression) {
  const terms = expression.replace(/^\((.*)\)$/, '$1');
  if (/[()]/.test(terms) || (terms.includes(' AND ') && terms.includes(' OR '))) return false;
  return terms.includes(' OR ')
    ? terms.split(' OR ').some((term) => permissive.has(term))
    : terms.split(' AND ').every((term) => permissive.has(term));
}

/**
 * True for a development package that is for certain processors only and has no hash. Our registry lacks the packages
 * for other systems, so npm could not read their hashes. The running service contains no such package.
 * @param {LockedPackage} locked
 */
const isForeignTool = ({ dev, optional, cpu, integrity }) => Boolean(dev && optional && cpu) && integrity === undefined;

/**
 * Lists the packages of a lock file that npm could not verify, and the packages of the running service whose licence is
 * not permissive.
 * @param {Record<string, LockedPackage>} packages `packages` of package-lock.json
 * @param {(path: string) => string | undefined} installedLicence the licence in the installed package.json; undefined
 *   for a package that is not installed here, such as one for another system
 */
export function dependencyFaults(packages, installedLicence) {
  return Object.entries(packages)
    .filter(([path, { link }]) => path.includes('node_modules/') && !link)
    .flatMap(([path, locked]) => {
      const { version, license, integrity = '', dev, devOptional } = locked;
      const name = `${path} ${version}`;
      const isVerified = /^sha512-[\w+/]{86}==$/.test(integrity) || isForeignTool(locked);
      const faults = isVerified ? [] : [`${name} has no sha512 integrity hash`];
      if (dev || devOptional) return faults;
      const installed = installedLicence(path);
      for (const [place, found] of Object.entries({ 'lock file': license, package: installed ?? license }))
        if (!isPermissive(found ?? '')) faults.push(`${name}: the licence in the ${place} is ${found ?? 'missing'}`);
      return faults;
    });
}
