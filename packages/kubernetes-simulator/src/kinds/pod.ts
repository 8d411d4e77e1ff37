import { isObject, type JsonObject, type JsonValue, listAt, textAt, valueAt, withValue } from '../json.ts';
import { type FieldError, invalidValue, required } from '../validation/field-errors.ts';
import { dnsLabelErrors, subdomainErrors } from '../validation/names.ts';
import { defaulted, type Strategy } from './strategy.ts';

/** Pods are kept, shown and selected; nothing runs them. */
export const podStrategy: Strategy = {
  nameErrors: subdomainErrors,
  defaults: (pod) => {
    const spec = valueAt(pod, 'spec');
    return isObject(spec) ? { ...pod, spec: defaultPodSpec(spec) } : pod;
  },
  prepareForCreate: (pod) => ({ ...pod, status: { phase: 'Pending', qosClass: qosClass(pod) } }),
  validate: validatePod,
  fields: (pod) => ({
    'spec.nodeName': textAt(pod, 'spec', 'nodeName'),
    'spec.restartPolicy': textAt(pod, 'spec', 'restartPolicy'),
    'spec.schedulerName': textAt(pod, 'spec', 'schedulerName'),
    'spec.serviceAccountName': textAt(pod, 'spec', 'serviceAccountName'),
    'spec.hostNetwork': String(valueAt(pod, 'spec', 'hostNetwork') === true),
    'status.phase': textAt(pod, 'status', 'phase'),
    'status.podIP': textAt(pod, 'status', 'podIP'),
    'status.nominatedNodeName': textAt(pod, 'status', 'nominatedNodeName'),
  }),
  returnsDeleted: true,
  countsGenerations: true,
};

export const deploymentStrategy: Strategy = {
  nameErrors: subdomainErrors,
  defaults: defaultDeployment,
  validate: (deployment) => containerErrors(deployment, 'spec.template.spec'),
  dropsStatusOnCreate: true,
  countsGenerations: true,
};

function defaultDeployment(deployment: JsonObject): JsonObject {
  const rolling = { maxUnavailable: '25%', maxSurge: '25%' };
  const values: Readonly<Record<string, JsonValue>> = {
    replicas: 1,
    revisionHistoryLimit: 10,
    progressDeadlineSeconds: 600,
  };
  const given = valueAt(deployment, 'spec');
  let spec: JsonObject = isObject(given) ? given : {};
  for (const [key, value] of Object.entries(values)) spec = defaulted(spec, key, value);
  const type = textAt(spec, 'strategy', 'type') || 'RollingUpdate';
  const strategy =
    type === 'RollingUpdate'
      ? { rollingUpdate: rolling, ...(valueAt(spec, 'strategy') as JsonObject), type }
      : { type };
  const template = valueAt(spec, 'template', 'spec');
  const filled = isObject(template) ? withValue(spec, ['template', 'spec'], defaultPodSpec(template)) : spec;
  return { ...deployment, spec: { ...filled, strategy } };
}

function defaultPodSpec(spec: JsonObject): JsonObject {
  const values: Readonly<Record<string, JsonValue>> = {
    restartPolicy: 'Always',
    terminationGracePeriodSeconds: 30,
    dnsPolicy: 'ClusterFirst',
    securityContext: {},
    schedulerName: 'default-scheduler',
    enableServiceLinks: true,
  };
  let filled = spec;
  for (const [key, value] of Object.entries(values)) filled = defaulted(filled, key, value);
  const account = textAt(spec, 'serviceAccountName') || textAt(spec, 'serviceAccount');
  const accounts = account && { serviceAccountName: account, serviceAccount: account };
  return { ...filled, ...(accounts || undefined), containers: listAt(spec, 'containers').map(defaultContainer) };
}

function defaultContainer(container: JsonValue): JsonValue {
  if (!isObject(container)) return container;
  const image = textAt(container, 'image');
  const tagged = /:[^/]+$|@/.test(image) && !image.endsWith(':latest');
  const pulled = defaulted(container, 'imagePullPolicy', tagged ? 'IfNotPresent' : 'Always');
  const path = defaulted(pulled, 'terminationMessagePath', '/dev/termination-log');
  return defaulted(path, 'terminationMessagePolicy', 'File');
}

function qosClass(pod: JsonObject): string {
  const containers = listAt(pod, 'spec', 'containers');
  const asks = containers.some(
    (container) =>
      isObject(valueAt(container, 'resources', 'requests')) || isObject(valueAt(container, 'resources', 'limits')),
  );
  return asks ? 'Burstable' : 'BestEffort';
}

function validatePod(pod: JsonObject): FieldError[] {
  return containerErrors(pod, 'spec');
}

function containerErrors(object: JsonObject, path: string): FieldError[] {
  const containers = listAt(object, ...path.split('.'), 'containers');
  if (containers.length === 0) return [required(`${path}.containers`)];
  return containers.flatMap((container, index) => {
    const field = `${path}.containers[${index}]`;
    const name = textAt(container, 'name');
    return [
      ...(name === ''
        ? [required(`${field}.name`)]
        : dnsLabelErrors(name).map((message) => invalidValue(`${field}.name`, name, message))),
      ...(textAt(container, 'image') === '' ? [required(`${field}.image`)] : []),
    ];
  });
}
