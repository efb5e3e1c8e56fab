// @ts-check
import { nameOf } from './manifests.mjs';

/** @typedef {import('./render.mjs').Manifest} Manifest */
/** @typedef {(manifests: readonly Manifest[]) => string[]} Rule */

const selecting = ['app.kubernetes.io/component', 'app.kubernetes.io/instance', 'app.kubernetes.io/name'];

/**
 * Returns the manifests of these kinds.
 * @param {readonly Manifest[]} manifests @param {...string} kinds
 */
const of = (manifests, ...kinds) => manifests.filter(({ kind }) => kinds.includes(kind));
/**
 * Returns the specification of a workload's pods.
 * @param {Manifest} workload
 */
const podOf = (workload) => workload.spec.template.spec;
/**
 * True when labels meet a selector.
 * @param {Record<string, string>} labels @param {Record<string, string>} selector
 */
const matches = (labels, selector) => Object.entries(selector).every(([key, value]) => labels[key] === value);

/** Returns all manifests that select pods, with their selectors. @param {readonly Manifest[]} manifests */
const selectors = (manifests) => [
  ...of(manifests, 'Service').map((manifest) => ({ manifest, selector: manifest.spec.selector })),
  ...of(manifests, 'Deployment', 'PodDisruptionBudget', 'PodMonitor').map((manifest) => ({
    manifest,
    selector: manifest.spec.selector.matchLabels,
  })),
  ...of(manifests, 'NetworkPolicy').map((manifest) => ({ manifest, selector: manifest.spec.podSelector.matchLabels })),
];

/** Selectors of Deployments are immutable, so they must not contain versions. @type {Rule} */
const selectorsNeverChange = (manifests) =>
  selectors(manifests)
    .filter(({ selector }) => Object.keys(selector).toSorted().join() !== selecting.join())
    .map(({ manifest, selector }) => `${nameOf(manifest)} selects by ${Object.keys(selector).join(', ')}`);

/** @type {Rule} */
const selectorsSelectOneDeployment = (manifests) =>
  selectors(manifests)
    .map(({ manifest, selector }) => ({
      manifest,
      found: of(manifests, 'Deployment', 'Job').filter(({ spec }) => matches(spec.template.metadata.labels, selector)),
    }))
    // A selector must select exactly one Deployment. The selector of a NetworkPolicy may select the migration Job
    // instead, because the policy limits the outgoing connections of the Job's pod.
    .filter(
      ({ manifest, found }) =>
        found.length !== 1 ||
        (found[0]?.kind !== 'Deployment' && manifest.kind !== 'NetworkPolicy') ||
        (manifest.kind === 'Deployment' && found[0] !== manifest),
    )
    .map(
      ({ manifest, found }) => `${nameOf(manifest)} selects the pods of ${found.map(nameOf).join(', ') || 'nothing'}`,
    );

/** @type {Rule} */
const scalersHaveTargets = (manifests) =>
  of(manifests, 'HorizontalPodAutoscaler', 'ScaledObject').flatMap((scaler) => {
    const target = of(manifests, 'Deployment').find(
      ({ metadata }) => metadata.name === scaler.spec.scaleTargetRef.name,
    );
    if (!target) return [`${nameOf(scaler)} scales ${scaler.spec.scaleTargetRef.name}, which does not exist`];
    return target.spec.replicas === undefined
      ? []
      : [`${nameOf(target)} has a fixed number of replicas beside ${nameOf(scaler)}, which each upgrade would reset`];
  });

/** @type {Rule} */
const podsAreConfined = (manifests) =>
  of(manifests, 'Deployment', 'Job').flatMap((workload) => {
    const pod = podOf(workload);
    const wanted = { runAsNonRoot: true, runAsUser: 1000, 'seccompProfile.type': 'RuntimeDefault' };
    const wantedOfContainers = {
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      'capabilities.drop.0': 'ALL',
    };
    const read = (/** @type {any} */ value, /** @type {string} */ path) =>
      path.split('.').reduce((inner, key) => inner?.[key], value);
    const check = (/** @type {any} */ context, /** @type {object} */ expected) =>
      Object.entries(expected)
        .filter(([path, value]) => read(context, path) !== value)
        .map(([path]) => `${nameOf(workload)}: ${path} is not set`);
    const token =
      pod.automountServiceAccountToken === false ? [] : [`${nameOf(workload)} mounts a token of Kubernetes`];
    return [
      ...token,
      ...check(pod.securityContext, wanted),
      ...pod.containers.flatMap((/** @type {any} */ { securityContext }) => check(securityContext, wantedOfContainers)),
    ];
  });

/** @type {Rule} */
const containersAreBounded = (manifests) =>
  of(manifests, 'Deployment', 'Job').flatMap((workload) =>
    podOf(workload)
      .containers.filter(
        (/** @type {any} */ { resources }) =>
          !resources?.requests?.cpu || !resources?.requests?.memory || !resources?.limits?.memory,
      )
      .map(() => `${nameOf(workload)} has no memory limit or requests`),
  );

/** @type {Rule} */
const appsAreProbedAndEnd = (manifests) =>
  of(manifests, 'Deployment').flatMap((workload) => {
    const pod = podOf(workload);
    const [container] = pod.containers;
    const ports = container.ports.map((/** @type {any} */ { name }) => name);
    const probes = ['startupProbe', 'readinessProbe', 'livenessProbe'].filter(
      (probe) =>
        !/^\/health\/(live|ready|serving)$/.test(container[probe]?.httpGet.path) ||
        !ports.includes(container[probe].httpGet.port),
    );
    const preStop = Number(container.lifecycle?.preStop?.exec.command[1]);
    // The app may take 30 seconds to end, and Kubernetes needs some time to notice the end.
    const ends =
      pod.terminationGracePeriodSeconds >= 35 + preStop ? [] : [`${nameOf(workload)} has too little time to end`];
    return [...probes.map((probe) => `${nameOf(workload)} has no ${probe} of its own port`), ...ends];
  });

/** @type {Rule} */
const servicesLeadToPorts = (manifests) =>
  of(manifests, 'Service').flatMap((service) => {
    const deployment = of(manifests, 'Deployment').find(({ spec }) =>
      matches(spec.template.metadata.labels, service.spec.selector),
    );
    const names = deployment ? podOf(deployment).containers[0].ports.map((/** @type {any} */ { name }) => name) : [];
    return service.spec.ports
      .filter((/** @type {any} */ { targetPort }) => !names.includes(targetPort))
      .map(
        (/** @type {any} */ { targetPort }) => `${nameOf(service)} leads to port ${targetPort}, which no container has`,
      );
  });

/** @type {Rule} */
const ingressLeadsClientsOnly = (manifests) =>
  of(manifests, 'Ingress').flatMap((ingress) =>
    ingress.spec.rules
      .flatMap((/** @type {any} */ rule) => rule.http.paths)
      .flatMap((/** @type {any} */ { path, backend }) => [
        ...(/^\/($|metrics|health)/.test(path) ? [`${nameOf(ingress)} leads clients to ${path}`] : []),
        ...(of(manifests, 'Service').some(({ metadata }) => metadata.name === backend.service.name)
          ? []
          : [`${nameOf(ingress)} leads to ${backend.service.name}, which does not exist`]),
      ]),
  );

/** When network policies are enabled, every pod needs one: a cluster may block pods without a policy. @type {Rule} */
const allPodsHavePolicies = (manifests) =>
  of(manifests, 'NetworkPolicy').length === 0
    ? []
    : of(manifests, 'Deployment', 'Job')
        .filter(
          ({ spec }) =>
            !of(manifests, 'NetworkPolicy').some((policy) =>
              matches(spec.template.metadata.labels, policy.spec.podSelector.matchLabels),
            ),
        )
        .map((workload) => `${nameOf(workload)} has no network policy`);

/** A hook may depend only on manifests of earlier hooks and on objects that the chart does not create. @type {Rule} */
const hooksFindWhatTheyNeed = (manifests) =>
  of(manifests, 'Job').flatMap((job) => {
    const isEarly = (/** @type {Manifest} */ { metadata }) =>
      metadata.annotations?.['helm.sh/hook'] !== undefined &&
      Number(metadata.annotations['helm.sh/hook-weight']) < Number(job.metadata.annotations?.['helm.sh/hook-weight']);
    const text = JSON.stringify(podOf(job));
    const late = manifests
      .filter(({ kind }) => ['Secret', 'ConfigMap', 'ServiceAccount', 'NetworkPolicy'].includes(kind))
      .filter(
        (manifest) =>
          !isEarly(manifest) &&
          (manifest.kind === 'NetworkPolicy'
            ? matches(job.spec.template.metadata.labels, manifest.spec.podSelector.matchLabels)
            : text.includes(`"${manifest.metadata.name}"`)),
      );
    return late.map((manifest) => `${nameOf(job)} needs ${nameOf(manifest)} before it is created`);
  });

/** @type {Rule} */
const namesAreUnique = (manifests) =>
  manifests
    .map((manifest) => `${manifest.apiVersion} ${nameOf(manifest)}`)
    .filter((name, index, all) => all.indexOf(name) !== index)
    .map((name) => `${name} exists twice`);

/** Checks the rules that the schemas do not cover. @type {readonly Rule[]} */
export const rules = [
  selectorsNeverChange,
  selectorsSelectOneDeployment,
  scalersHaveTargets,
  podsAreConfined,
  containersAreBounded,
  appsAreProbedAndEnd,
  servicesLeadToPorts,
  ingressLeadsClientsOnly,
  allPodsHavePolicies,
  hooksFindWhatTheyNeed,
  namesAreUnique,
];

/** @type {Rule} */
export const ruleFaults = (manifests) => rules.flatMap((rule) => rule(manifests));

/**
 * Returns the variables that a process gets, each with its source.
 * @param {readonly Manifest[]} manifests @param {string} component
 * @returns {Map<string, 'config' | 'secret'>}
 */
export function variablesOf(manifests, component) {
  const workload = of(manifests, 'Deployment', 'Job').find(
    ({ metadata }) => metadata.labels?.['app.kubernetes.io/component'] === component,
  );
  const [container] = workload ? podOf(workload).containers : [];
  const configured = (container.envFrom ?? []).flatMap((/** @type {any} */ { configMapRef }) =>
    Object.keys(of(manifests, 'ConfigMap').find(({ metadata }) => metadata.name === configMapRef.name)?.data ?? {}),
  );
  return new Map([
    ...configured.map((/** @type {string} */ name) => /** @type {const} */ ([name, 'config'])),
    ...container.env.map(
      (/** @type {any} */ { name, valueFrom }) => /** @type {const} */ ([name, valueFrom ? 'secret' : 'config']),
    ),
  ]);
}
