// @ts-check
/** Describes the public interfaces of the libraries: `npm run api -- --help`. */
import { flag, parseOptions } from './options.mjs';
import { runTool } from './node.mjs';

const usage = `usage: npm run api [-- option]
Writes libs/<library>/etc/*.api.md, which show the public interface of each published library. Build first.

  --check   fail when a report differs from the code, an export or a member has no docstring, an export uses a type that is not exported,
            or an interface changed without a version plan
  --help`;

// The import is dynamic, because `runTool` may have to install the packages first.
await runTool(async () => {
  const options = parseOptions(usage, { check: flag }, process.argv.slice(2));
  if (!options) return;
  const [{ describeApis, entryPoints, reportFaults, writeReports }, { planFaults }, { installTools }] =
    await Promise.all([
      import('./packages/api-reports.mjs'),
      import('./packages/version-plans.mjs'),
      import('./packages/tools.mjs'),
    ]);
  const apis = describeApis(installTools(), entryPoints());
  if (!options.check) writeReports(apis);
  const faults = [
    ...apis.flatMap(({ faults }) => faults),
    ...(options.check ? reportFaults(apis) : []),
    ...planFaults(),
  ];
  for (const fault of faults) console.error(`FAILED  ${fault}`);
  console.log(
    faults.length === 0
      ? `API reports: all reports of ${apis.length} entry points match the code`
      : `API reports: ${faults.length} errors`,
  );
  process.exitCode = faults.length === 0 ? 0 : 1;
});
