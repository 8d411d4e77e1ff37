import type { Clock, Logger, Metrics } from '@cloudstack-ccm/base';
import { EventRecorder, Informer, type KubernetesClient, type Node, type Service } from '@cloudstack-ccm/kubernetes';

import type { Cloud } from '../cloud.ts';
import type { Controller } from '../controller.ts';
import type { MayWrite } from '../fence.ts';
import { NodeLifecycleController } from '../lifecycle/node-lifecycle-controller.ts';
import { NodeController } from '../nodes/node-controller.ts';
import { aliasOf, CONTROLLER_NAMES, isControllerEnabled, type ControllerName } from '../options/controller-names.ts';
import { addressWorkers, type Options } from '../options/options.ts';
import { ServiceController } from '../services/service-controller.ts';

export interface ControllerDependencies {
  readonly options: Options;
  readonly cloud: Cloud;
  readonly client: KubernetesClient;
  readonly mayWrite: MayWrite;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: Metrics;
  /** Numbers in [0, 1). */
  readonly random: () => number;
}

/** What the controllers share, and the recorder that each of them tells its events through. */
export interface ControllerSet {
  readonly nodes: Informer<Node>;
  readonly services: Informer<Service>;
  readonly controllers: readonly Controller[];
  readonly recorders: readonly EventRecorder[];
}

/** Builds the controllers that `--controllers` switches on, and says in the log which it does not. */
export function buildControllers(dependencies: ControllerDependencies): ControllerSet {
  const { client, log } = dependencies;
  const informers = client.named('shared-informers');
  const parts: Parts = {
    nodes: new Informer(informers.nodes, { log }),
    services: new Informer(informers.services, { log }),
    recorders: [],
  };
  const controllers = CONTROLLER_NAMES.flatMap((name) => {
    if (isControllerEnabled(name, dependencies.options.generic.controllers)) return build(name, dependencies, parts);
    // Runbooks search for the short name.
    log.warn(`${JSON.stringify(aliasOf(name))} is disabled`, { controller: name });
    return [];
  });
  return { ...parts, controllers };
}

interface Parts {
  readonly nodes: Informer<Node>;
  readonly services: Informer<Service>;
  readonly recorders: EventRecorder[];
}

function build(name: ControllerName, dependencies: ControllerDependencies, parts: Parts): readonly Controller[] {
  switch (name) {
    case 'cloud-node-controller':
      return [nodeController(dependencies, parts)];
    case 'cloud-node-lifecycle-controller':
      return [lifecycleController(dependencies, parts)];
    case 'service-lb-controller':
      return [serviceController(dependencies, parts)];
    case 'node-route-controller':
      skipRoutes(dependencies);
      return [];
    default:
      return name satisfies never;
  }
}

/** A client with a rate limit of its own, and what every controller takes. */
function common(dependencies: ControllerDependencies, parts: Parts, clientName: string, source: string) {
  const { client, mayWrite, clock, log, metrics } = dependencies;
  const own = client.named(clientName);
  const recorder = new EventRecorder({ client: own, source, log, clock });
  parts.recorders.push(recorder);
  return { own, shared: { recorder, mayWrite, clock, log: log.with({ controller: source }), metrics } };
}

function nodeController(dependencies: ControllerDependencies, parts: Parts): Controller {
  const { options, cloud, random } = dependencies;
  const { own, shared } = common(dependencies, parts, 'node-controller', 'cloud-node-controller');
  return new NodeController({
    ...shared,
    client: own.nodes,
    informer: parts.nodes,
    instances: cloud.instances,
    workers: options.nodeController.concurrentNodeSyncs,
    addressWorkers: addressWorkers(options),
    addressPeriodMs: options.misc.nodeStatusUpdateFrequency,
    resyncMs: options.generic.minResyncPeriod * (1 + random()),
  });
}

function lifecycleController(dependencies: ControllerDependencies, parts: Parts): Controller {
  const { options, cloud } = dependencies;
  const { own, shared } = common(dependencies, parts, 'node-controller', 'cloud-node-lifecycle-controller');
  const { holdCount, holdPercent, holdWindow } = options.deletionGuard;
  return new NodeLifecycleController({
    ...shared,
    client: own.nodes,
    informer: parts.nodes,
    instances: cloud.instances,
    periodMs: options.generic.nodeMonitorPeriod,
    limits: () => ({ count: holdCount, percent: holdPercent, windowMs: holdWindow, ...cloud.deletionLimits?.() }),
  });
}

function serviceController(dependencies: ControllerDependencies, parts: Parts): Controller {
  const { options, cloud } = dependencies;
  const { own, shared } = common(dependencies, parts, 'service-controller', 'service-controller');
  return new ServiceController({
    ...shared,
    client: own.services,
    services: parts.services,
    nodes: parts.nodes,
    endpointSlices: own.endpointSlices,
    loadBalancers: cloud.loadBalancers,
    clusterName: options.generic.clusterName,
    workers: options.serviceController.concurrentServiceSyncs,
  });
}

/** No cloud of this interface has routes. */
function skipRoutes({ options, log }: ControllerDependencies): void {
  const { configureCloudRoutes } = options.generic;
  if (configureCloudRoutes) {
    log.warn(
      '--configure-cloud-routes is set, but cloud provider does not support routes. ' +
        'Will not configure cloud provider routes.',
    );
  } else log.info('Will not configure cloud provider routes, --configure-cloud-routes: false');
  log.warn('Skipping "node-route-controller"');
}
