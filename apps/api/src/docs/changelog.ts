import { API_PREFIX } from '@ats/domain';
import { CHANGES_IN_EVERY_VERSION, type DatedChanges } from '../versions/changes-in-every-version.js';
import { VERSIONS } from '../versions/versions.js';
import { escaped } from '../vocabulary/escape-html.js';
import { document, withCode } from './html.js';

type Declaration = (typeof VERSIONS.declarations)[number];

/**
 * The changelog page: the changes in every version, then the changes of each minor version, newest first. Both are
 * derived from their declarations. Links are relative to `/docs/changelog`.
 */
export function changelogPage(nonce: string): string {
  const body = `<main>
<h1>Changelog</h1>
<p>Select a version per request, for example <code>Api-Version: ${VERSIONS.newest}</code>, or with the
<code>api_version</code> of your credential. The default is <strong>${VERSIONS.default}</strong>, the newest stable
version. To upgrade, go through the versions above yours from bottom to top. Try each with the header before you
rely on it. <a href="../docs">Reference</a></p>
${CHANGES_IN_EVERY_VERSION.map(entryInEveryVersion).join('\n')}
${[...VERSIONS.declarations].reverse().map(entry).join('\n')}
</main>`;
  return document({ title: 'changelog', nonce, style: STYLE, body });
}

function entryInEveryVersion({ date, changes }: DatedChanges): string {
  const items = changes.map(({ change, upgrade }) => {
    const steps = upgrade === undefined ? '' : ` <strong>To upgrade:</strong> ${withCode(upgrade)}`;
    return `<li>${withCode(change)}${steps}</li>`;
  });
  return `<section id="d${date}">
<h2>Every version <small><time>${date}</time></small></h2>
<p>These changes hold in all minor versions.</p>
<ul>
${items.join('\n')}
</ul>
</section>`;
}

function entry(declaration: Declaration): string {
  const { version, date, status, changelog, upgrade } = declaration;
  const remark = version === VERSIONS.default ? `${status}, the default` : status;
  const endpoints = [...new Set(declaration.changes.flatMap((change) => change.endpoints))].filter(
    (endpoint) => !endpoint.endsWith(' *'),
  );
  return `<section id="v${version}">
<h2>${version} <small><time>${date}</time> · ${escaped(remark)}</small></h2>
<p>${withCode(changelog)}</p>
${upgrade === undefined ? '' : `<p><strong>To upgrade:</strong> ${withCode(upgrade)}</p>`}
${endpoints.length === 0 ? '' : `<p class="endpoints">${endpoints.map(endpointText).join(' ')}</p>`}
<p><a href="../docs?version=${version}">Reference of ${version}</a> · <a href="../openapi.json?version=${version}">openapi.json</a></p>
</section>`;
}

/** Formats an endpoint of a change, such as `GET …/history`. */
const endpointText = (endpoint: string): string =>
  `<code>${escaped(
    endpoint
      .replace(API_PREFIX, '')
      .replaceAll('*', '…')
      .replaceAll(/:(\w+)/g, '{$1}'),
  )}</code>`;

const STYLE = `main { max-width: 46rem; margin: 0 auto; padding: 1rem 20px 4rem; line-height: 1.5; color: #1f2937 }
section { border-top: 1px solid #d1d5db; margin-top: 1.5rem }
h2 { margin: 1rem 0 .3rem } h2 small { font-size: .85rem; font-weight: 400; color: #6b7280 }
p, li { margin: .4rem 0 } ul { padding-left: 1.2rem } a { color: #1d4ed8 }
code { font: 13px ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace; background: #f3f4f6; padding: .1em .3em; border-radius: 3px; overflow-wrap: anywhere }`;
