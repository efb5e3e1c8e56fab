// @ts-check
/**
 * Checks the types of projects with one version of TypeScript: `node types.mjs <package of TypeScript> <folder>…`.
 * Prints one line of JSON: the errors of each folder. One program has the files of all folders, because most of the
 * time goes into the types of Node and of the language. Each file finds packages from its own folder.
 */
import { createRequire } from 'node:module';
import { join } from 'node:path';

const [typescript = '', ...folders] = process.argv.slice(2);
/** @type {typeof import('typescript')} */
const ts = createRequire(import.meta.url)(typescript);

const projects = folders.map((folder) => {
  const host = { ...ts.sys, onUnRecoverableConfigFileDiagnostic: () => {} };
  const config = ts.getParsedCommandLineOfConfigFile(join(folder, 'tsconfig.json'), undefined, host);
  if (!config) throw new Error(`${folder}/tsconfig.json cannot be read`);
  return config;
});
const options = projects[0]?.options ?? {};
const host = ts.createCompilerHost(options);
const cache = ts.createModuleResolutionCache(host.getCurrentDirectory(), (name) => name, options);
/** @type {NonNullable<typeof host.resolveModuleNameLiterals>} */
const resolve = (literals, file, redirect, settings, source) =>
  literals.map((literal) => {
    const mode = source && ts.getModeForUsageLocation(source, literal, settings);
    const { resolvedModule, ...rest } = ts.resolveModuleName(literal.text, file, settings, host, cache, redirect, mode);
    // Without `packageId`, TypeScript does not replace the copies of a package in several folders by one of them.
    return { ...rest, resolvedModule: resolvedModule && { ...resolvedModule, packageId: undefined } };
  });
host.resolveModuleNameLiterals = resolve;
const program = ts.createProgram({ rootNames: projects.flatMap(({ fileNames }) => fileNames), options, host });
/** @type {[string, string[]][]} */
const errors = folders.map((folder) => [`${folder}/`, []]);
for (const { file, start, messageText } of ts.getPreEmitDiagnostics(program)) {
  const text = ts.flattenDiagnosticMessageText(messageText, ' ');
  const place =
    file && start !== undefined ? `${file.fileName}:${file.getLineAndCharacterOfPosition(start).line + 1}: ` : '';
  const own = errors.find(([folder]) => place.startsWith(folder));
  // An error in a file outside all folders is counted for the first folder, so that it is reported.
  (own ?? errors[0])?.[1].push(`${place}${text}`);
}
console.log(JSON.stringify(errors.map(([, found]) => found)));
