// @ts-check
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parse } from 'yaml';
import { chart, derivedFiles } from './main.mjs';
import { schemaFaults, typeFaults } from './manifests.mjs';
import { render } from './render.mjs';
import { ruleFaults, variablesOf } from './rules.mjs';
import { readConfiguration } from './variables.mjs';

const casesDir = join(import.meta.dirname, 'cases');
/**
 * Reads the values of a test case.
 * @param {string} name
 */
const valuesOf = (name) => parse(readFileSync(join(casesDir, `${name}.yaml`), 'utf8'));
const cases = readdirSync(casesDir).map((file) => file.replace('.yaml', ''));
const rendered = new Map(cases.map((name) => [name, render(chart, valuesOf(name)).manifests]));
/**
 * Returns a copy of the manifests that a test case renders.
 * @param {string} name
 */
const manifestsOf = (name) => structuredClone(rendered.get(name) ?? []);
const configuration = readConfiguration();
const { processes, variables } = configuration;

for (const name of cases) {
  test(`${name}: manifests follow the schemas of Kubernetes and our own rules`, async () => {
    assert.deepEqual(await schemaFaults(manifestsOf(name)), []);
    assert.deepEqual(ruleFaults(manifestsOf(name)), []);
  });
}

test('the manifests of the chart contain no unknown fields', () => {
  assert.equal(typeFaults(cases.flatMap(manifestsOf)), '');
  const [deployment] = manifestsOf('minimal').filter(({ kind }) => kind === 'Deployment');
  deployment.spec.template.spec.containers[0].readynessProbe = {};
  assert.match(typeFaults([deployment]), /readynessProbe/);
});

test('generated files of the chart are up to date: `node tools/chart.mjs --write`', () => {
  for (const [path, text] of Object.entries(derivedFiles(configuration)))
    assert.equal(readFileSync(join(chart, path), 'utf8'), text, path);
});

test('each process gets only the variables that it reads, and secrets only from a Secret', () => {
  const fixed = ['PORT', 'NOTIFIER_PORT', 'CONSOLE_PORT', 'RELEASE'];
  const config = Object.fromEntries(
    variables
      .filter(({ name, isSecret }) => !isSecret && !fixed.includes(name))
      .map(({ name, default: text, schema }) => [name, text ?? /** @type {any} */ (schema).enum?.[0] ?? 'x']),
  );
  const { manifests } = render(chart, { config, existingSecret: 'ats-secrets', console: { enabled: true } });
  for (const { name, variables: read } of processes.filter(({ name }) => !['seed', 'reseal'].includes(name))) {
    const all = variables.filter(({ name }) => read.includes(name) && !fixed.includes(name));
    const found = variablesOf(manifests, name);
    assert.deepEqual([...found.keys()].toSorted(), all.map(({ name }) => name).toSorted(), name);
    for (const { name: variable, isSecret } of all)
      assert.equal(found.get(variable), isSecret ? 'secret' : 'config', variable);
  }
});

test('secrets in the values appear only in Secrets', () => {
  const { secrets } = valuesOf('trial');
  const others = JSON.stringify(manifestsOf('trial').filter(({ kind }) => kind !== 'Secret'));
  for (const value of Object.values(secrets)) assert.ok(!others.includes(/** @type {string} */ (value)));
  assert.deepEqual(
    manifestsOf('trial').find(({ metadata, kind }) => kind === 'Secret' && metadata.name === 'test-ats-migrate')
      ?.stringData,
    {
      DATABASE_URL: secrets.DATABASE_URL,
      API_DATABASE_URL: secrets.API_DATABASE_URL,
      BOOTSTRAP_TOKEN: secrets.BOOTSTRAP_TOKEN,
    },
  );
});

test('the chart refuses unknown values and missing values, and names them', () => {
  const minimal = valuesOf('minimal');
  assert.throws(
    () => render(chart, { ...minimal, config: { ...minimal.config, LOGLEVEL: 'info' } }),
    /values\/config must NOT have additional properties/,
  );
  assert.throws(
    () => render(chart, { ...minimal, config: { ...minimal.config, LOG_LEVEL: 'loud' } }),
    /values\/config\/LOG_LEVEL must be equal to one of/,
  );
  assert.throws(
    () => render(chart, { ...minimal, config: { ...minimal.config, SECRET_KEY: 'x'.repeat(32) } }),
    /additional properties/,
    'config refuses secrets',
  );
  assert.throws(
    () => render(chart, { ...minimal, api: { replica: 3 } }),
    /values\/api must NOT have additional properties/,
  );
  assert.throws(() => render(chart, { existingSecret: 'ats-secrets' }), /required property 'PUBLIC_BASE_URL'/);
  assert.throws(() => render(chart, { config: minimal.config }), /existingSecret is required/);
  assert.throws(
    () => render(chart, { ...minimal, notifier: { autoscaling: { kind: 'keda' } } }),
    /prometheusAddress is required/,
  );
});

test('the default network policies limit who reaches the pods; they limit egress only when its rules are given', () => {
  const policies = (/** @type {object} */ values) =>
    render(chart, { ...valuesOf('minimal'), ...values }).manifests.filter(({ kind }) => kind === 'NetworkPolicy');
  const [api, notifier, migrate, ...others] = policies({}).map(({ spec }) => spec);
  assert.deepEqual(others, []);
  for (const spec of [api, notifier, migrate]) {
    assert.deepEqual(spec.policyTypes, ['Ingress']);
    assert.equal('egress' in spec, false);
  }
  assert.equal(migrate.ingress, undefined);
  assert.deepEqual(notifier.ingress, [
    { ports: [{ port: 'http', protocol: 'TCP' }], from: [{ namespaceSelector: {} }] },
  ]);
  const egress = [{ to: [{ ipBlock: { cidr: '10.0.0.0/24' } }] }];
  for (const { spec } of policies({ networkPolicy: { egress } })) {
    assert.deepEqual(spec.policyTypes, ['Ingress', 'Egress']);
    assert.equal(spec.egress.length >= 2, true);
  }
  assert.deepEqual(policies({ networkPolicy: { enabled: false } }), []);
});

test('with databaseUrlKey, the API gets the DATABASE_URL of its own role and never that of the owner', () => {
  const separated = { api: { databaseUrlKey: 'API_DATABASE_URL' } };
  const [shared, separate] = [{}, separated].map(
    (more) => render(chart, { ...valuesOf('minimal'), ...more }).manifests,
  );
  const keysOf = (/** @type {string} */ name, manifests = separate ?? []) => {
    const workload = manifests.find(
      ({ kind, metadata }) =>
        ['Deployment', 'Job'].includes(kind) && metadata.labels?.['app.kubernetes.io/component'] === name,
    );
    return Object.fromEntries(
      workload?.spec.template.spec.containers[0].env.flatMap((/** @type {any} */ { name, valueFrom }) =>
        valueFrom ? [[name, valueFrom.secretKeyRef.key]] : [],
      ),
    );
  };
  assert.equal(keysOf('api', shared).DATABASE_URL, 'DATABASE_URL');
  assert.equal(keysOf('api').DATABASE_URL, 'API_DATABASE_URL');
  assert.equal('API_DATABASE_URL' in keysOf('api'), false);
  for (const name of ['notifier', 'migrate']) assert.equal(keysOf(name).DATABASE_URL, 'DATABASE_URL');
  assert.equal(keysOf('migrate').API_DATABASE_URL, 'API_DATABASE_URL');
});

test('the grace period covers preStop and the 30 seconds of the app', () => {
  const [deployment] = render(chart, { ...valuesOf('minimal'), shutdown: { preStop: 60 } }).manifests.filter(
    ({ kind }) => kind === 'Deployment',
  );
  assert.equal(deployment?.spec.template.spec.terminationGracePeriodSeconds, 100);
  assert.deepEqual(ruleFaults([deployment ?? assert.fail()]), []);
});

test('the chart keeps 0 replicas, as operators set them during a restore', () => {
  const { manifests } = render(chart, {
    ...valuesOf('minimal'),
    api: { replicas: 0, autoscaling: { enabled: false } },
    notifier: { replicas: 0 },
  });
  assert.deepEqual(
    manifests.filter(({ kind }) => kind === 'Deployment').map(({ spec }) => spec.replicas),
    [0, 0],
  );
});

test('the timeout of helm in the documentation exceeds the deadline of the migration', () => {
  const [, minutes] = /--timeout (\d+)m/.exec(readFileSync(join(chart, '../README.md'), 'utf8')) ?? [];
  assert.ok(
    Number(minutes) * 60 > parse(readFileSync(join(chart, 'values.yaml'), 'utf8')).migrate.activeDeadlineSeconds,
  );
});

test('the notifier publishes the metric by which the chart scales it', () => {
  const instruments = readFileSync(join(import.meta.dirname, '../../apps/notifier/src/metrics/gauges.ts'), 'utf8');
  assert.match(instruments, /name: 'outbox_oldest_age_seconds'/);
  for (const name of ['everything', 'adapter'])
    assert.match(JSON.stringify(manifestsOf(name)), /ats_notifier_outbox_oldest_age_seconds/);
});

/** Returns all selectors of our metrics in a PromQL text. @param {string} text */
const selectorsIn = (text) => text.match(/\b(?:api|ats_notifier)_\w+(?:\{[^}]*\})?/g) ?? [];
const own = { namespace: 'hiring', app_kubernetes_io_instance: 'test' };
const ownMatchers = 'namespace="hiring",app_kubernetes_io_instance="test"';

test('alerts select only the series of their release, and carry its labels', () => {
  const alerts = parse(readFileSync(join(chart, 'files/alerts.yaml'), 'utf8'));
  const rendered = manifestsOf('everything').find(({ kind }) => kind === 'PrometheusRule')?.spec;
  for (const [index, { expr, labels, annotations, ...others }] of alerts.groups[0].rules.entries()) {
    const rule = rendered.groups[0].rules[index];
    assert.equal(selectorsIn(expr).length > 0, true);
    assert.deepEqual(
      selectorsIn(rule.expr),
      selectorsIn(expr).map((selector) => selector.replace('{', `{${ownMatchers},`)),
    );
    for (const selector of selectorsIn(rule.expr)) assert.ok(selector.includes(ownMatchers), selector);
    assert.deepEqual(rule, {
      ...others,
      expr: expr.replaceAll(/\b(api|ats_notifier)_\w+\{/g, `$&${ownMatchers},`),
      labels: { ...labels, ...own },
      annotations: { ...annotations, runbook_url: `https://git.example.com/ats/blob/main/${annotations.runbook_url}` },
    });
  }
});

test('the PodMonitor sets the labels by which alerts and scalers select a release', () => {
  const [pods, keda] = ['PodMonitor', 'ScaledObject'].map((kind) => find(manifestsOf('everything'), kind).spec);
  assert.deepEqual(pods.podTargetLabels, ['app.kubernetes.io/instance']);
  assert.equal(keda.triggers[0].metadata.query, `max(ats_notifier_outbox_oldest_age_seconds{${ownMatchers}})`);
  const { metrics } = manifestsOf('adapter').filter(({ kind }) => kind === 'HorizontalPodAutoscaler')[1]?.spec ?? {};
  assert.deepEqual(metrics[0].external.metric, {
    name: 'ats_notifier_outbox_oldest_age_seconds',
    selector: { matchLabels: own },
  });
});

test('the chart renders the dashboard unchanged', () => {
  const dashboard = manifestsOf('everything').find(({ metadata }) => metadata.name === 'test-ats-dashboard');
  assert.deepEqual(
    JSON.parse(dashboard?.data['ats.json']),
    JSON.parse(readFileSync(join(chart, 'files/dashboard.json'), 'utf8')),
  );
});

/**
 * Functions that make one mistake in valid manifests. Each key is the message that must report the mistake.
 * @type {Record<string, (manifests: any[]) => void>}
 */
const mistakes = {
  'selects by': (manifests) => (find(manifests, 'Service').spec.selector.version = '1'),
  'selects the pods of nothing': (manifests) =>
    (find(manifests, 'PodDisruptionBudget').spec.selector.matchLabels['app.kubernetes.io/component'] = 'other'),
  'which does not exist': (manifests) =>
    (find(manifests, 'HorizontalPodAutoscaler').spec.scaleTargetRef.name = 'other'),
  'fixed number of replicas': (manifests) => (find(manifests, 'Deployment').spec.replicas = 3),
  'readOnlyRootFilesystem is not set': (manifests) =>
    delete container(manifests).securityContext.readOnlyRootFilesystem,
  'runAsNonRoot is not set': (manifests) =>
    delete find(manifests, 'Job').spec.template.spec.securityContext.runAsNonRoot,
  'mounts a token': (manifests) => delete find(manifests, 'Deployment').spec.template.spec.automountServiceAccountToken,
  'no memory limit or requests': (manifests) => delete container(manifests).resources.limits,
  'no livenessProbe of its own port': (manifests) => (container(manifests).livenessProbe.httpGet.port = 'other'),
  'too little time to end': (manifests) =>
    (find(manifests, 'Deployment').spec.template.spec.terminationGracePeriodSeconds = 39),
  'leads to port other': (manifests) => (find(manifests, 'Service').spec.ports[0].targetPort = 'other'),
  'leads clients to /metrics': (manifests) =>
    (find(manifests, 'Ingress').spec.rules[0].http.paths[0].path = '/metrics'),
  'has no network policy': (manifests) =>
    manifests.splice(
      manifests.findIndex(({ kind }) => kind === 'NetworkPolicy'),
      1,
    ),
  'needs NetworkPolicy/test-ats-migrate before': (manifests) =>
    delete manifests.find(({ kind, metadata }) => kind === 'NetworkPolicy' && metadata.name === 'test-ats-migrate')
      .metadata.annotations,
  'needs ServiceAccount/hiring before': (manifests) =>
    (find(manifests, 'Job').spec.template.spec.serviceAccountName = 'hiring'),
  'exists twice': (manifests) => manifests.push(manifests[0]),
};

for (const [fault, make] of Object.entries(mistakes)) {
  test(`the checks report a manifest that ${fault}`, () => {
    const manifests = manifestsOf('everything');
    make(manifests);
    assert.match(ruleFaults(manifests).join('\n'), new RegExp(fault));
  });
}

/**
 * Finds the first manifest of a kind.
 * @param {any[]} manifests @param {string} kind
 */
const find = (manifests, kind) => manifests.find((manifest) => manifest.kind === kind);
/**
 * Returns the first container of the first Deployment.
 * @param {any[]} manifests
 */
const container = (manifests) => find(manifests, 'Deployment').spec.template.spec.containers[0];
