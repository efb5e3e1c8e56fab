// @ts-check
import { createRequire } from 'node:module';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../workspace.mjs';
import { isPublished, readProjects } from './template.mjs';

/**
 * One entry point of a library, such as `@ats/search-query/testing`, and the file of its report.
 * @typedef {{ name: string, folder: string, types: string, report: string }} Entry
 */

/**
 * Returns the entry points with types of all published libraries. A library with generated code has no report, because
 * its interface follows from the OpenAPI document. `tools/client.test.mjs` compares it with the API.
 * @returns {Entry[]}
 */
export const entryPoints = () =>
  readProjects()
    .filter(isPublished)
    .filter(({ folder }) => !existsSync(join(root, folder, 'src/generated')))
    .flatMap(({ folder, manifest }) =>
      Object.entries(manifest.exports ?? {}).flatMap(([path, target]) => {
        const types = typeof target === 'object' ? target['types'] : undefined;
        const name = join(manifest.name, path);
        return types ? [{ name, folder, types, report: `${folder}/etc/${fileName(name)}` }] : [];
      }),
    );

/**
 * Returns the name of the file with the report of an entry point.
 * @param {string} name
 */
const fileName = (name) => `${name.replace('@ats/', '').replaceAll('/', '-')}.api.md`;

/**
 * Describes the public interface of each entry point, from the compiled declarations.
 * @param {string} tools the folder with the installed tools of the rehearsal
 * @param {readonly Entry[]} entries
 * @returns {{ entry: Entry, text: string, faults: string[] }[]}
 */
export function describeApis(tools, entries) {
  const { CompilerState, Extractor, ExtractorConfig } = createRequire(join(tools, 'package.json'))(
    '@microsoft/api-extractor',
  );
  const temporary = mkdtempSync(join(tmpdir(), 'api-'));
  try {
    const files = entries.map(({ folder, types }) => join(root, folder, types));
    const configs = entries.map((entry, index) => configure(ExtractorConfig, entry, files, index, temporary));
    // Compiles all entry points in one program, so that the types of Node and of the language are loaded only once.
    const compilerState = CompilerState.create(configs[0], { additionalEntryPoints: files });
    return entries.map((entry, index) => {
      /** @type {string[]} */
      const faults = [];
      Extractor.invoke(configs[index], {
        localBuild: true,
        compilerState,
        messageCallback: (/** @type {any} */ message) => {
          if (message.logLevel === 'error') faults.push(`${entry.name}: ${message.text}`);
          message.handled = true;
        },
      });
      const report = readFileSync(join(temporary, fileName(entry.name)), 'utf8');
      return { entry, text: withoutTools(report), faults: [...faults, ...undocumented(report, entry.name)] };
    });
  } finally {
    rmSync(temporary, { recursive: true });
  }
}

/**
 * Returns the configuration of API Extractor for one entry point.
 * @param {any} ExtractorConfig @param {Entry} entry @param {string[]} files @param {number} index @param {string}
 * folder
 */
function configure(ExtractorConfig, entry, files, index, folder) {
  const projectFolder = join(root, entry.folder);
  const levels = (/** @type {string} */ logLevel, /** @type {string[]} */ ...ids) =>
    Object.fromEntries(ids.map((id) => [id, { logLevel, addToApiReportFile: false }]));
  return ExtractorConfig.prepare({
    configObjectFullPath: join(projectFolder, 'api-extractor.json'),
    packageJsonFullPath: join(projectFolder, 'package.json'),
    configObject: {
      projectFolder,
      newlineKind: 'lf',
      mainEntryPointFilePath: files[index],
      compiler: {
        overrideTsconfig: {
          compilerOptions: { module: 'nodenext', target: 'es2023', strict: true, types: ['node'], skipLibCheck: true },
          files,
        },
      },
      apiReport: {
        enabled: true,
        reportFileName: fileName(entry.name),
        reportFolder: folder,
        reportTempFolder: join(folder, 'temp'),
      },
      docModel: { enabled: false },
      dtsRollup: { enabled: false },
      tsdocMetadata: { enabled: false },
      messages: {
        compilerMessageReporting: levels('error', 'default'),
        extractorMessageReporting: {
          ...levels('error', 'default'),
          ...levels('none', 'ae-missing-release-tag', 'ae-undocumented'),
        },
        tsdocMessageReporting: levels('none', 'default'),
      },
    },
  });
}

/**
 * Lists exports, and members of exports, without a docstring. API Extractor marks them in its report.
 * @param {string} report @param {string} name
 */
export function undocumented(report, name) {
  const lines = report.split('\n');
  let owner = '';
  return lines.flatMap((line, index) => {
    owner = /^export (?:declare )?(?:abstract )?\w+ ([\w$]+)/.exec(line)?.[1] ?? owner;
    if (!/^\s*\/\/.*\(undocumented\)/.test(line)) return [];
    const declaration = (lines[index + 1] ?? '').trim();
    const about = declaration.startsWith('export ') ? declaration.slice('export '.length) : `${owner}: ${declaration}`;
    return [`${name}: no docstring: ${about.replace(/ *[{=(].*/, '')}`];
  });
}

/** Keeps reports the same when only the tool changes. @param {string} report */
const withoutTools = (report) => report.replace(/^.*Do not edit this file.*$\n/m, '');

/** Writes the reports, and deletes the reports of former entry points. @param {ReturnType<typeof describeApis>} apis */
export function writeReports(apis) {
  for (const { entry, text } of apis) {
    mkdirSync(join(root, entry.folder, 'etc'), { recursive: true });
    writeFileSync(join(root, entry.report), text);
  }
  for (const report of formerReports(apis.map(({ entry }) => entry))) rmSync(join(root, report));
}

/**
 * Lists reports that belong to no entry point any more.
 * @param {readonly Entry[]} entries
 */
const formerReports = (entries) =>
  readProjects()
    .map(({ folder }) => `${folder}/etc`)
    .filter((folder) => existsSync(join(root, folder)))
    .flatMap((folder) => readdirSync(join(root, folder)).map((file) => `${folder}/${file}`))
    .filter((file) => file.endsWith('.api.md') && !entries.some(({ report }) => report === file));

/** Compares the reports in git with the code. @param {ReturnType<typeof describeApis>} apis @returns {string[]} */
export const reportFaults = (apis) => [
  ...apis
    .filter(
      ({ entry, text }) =>
        !existsSync(join(root, entry.report)) || readFileSync(join(root, entry.report), 'utf8') !== text,
    )
    .map(({ entry }) => `${entry.report} differs from the code: npm run api`),
  ...formerReports(apis.map(({ entry }) => entry)).map((file) => `${file} belongs to no entry point: npm run api`),
];
