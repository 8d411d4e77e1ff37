import { type NodeView, type ServiceContext, type ServiceView } from '@cloudstack-ccm/cloud-controllers';
import type { LoadBalancerRule } from '@cloudstack-ccm/cloudstack-client';
import type { Resolution } from '../instances/resolver.ts';
import { ANNOTATIONS, nameOf, readAnnotations, type Settings } from './annotations/annotations.ts';
import { InvalidServiceError } from './errors.ts';
import { wantedMembers } from './members/members.ts';
import { look } from './observe/observation.ts';
import type { Parts } from './parts.ts';
import type { LoadBalancerReader } from './observe/read.ts';
import { memberSteps } from './plan/plan-rule.ts';
import { readyMembers } from './members/ready-members.ts';
import { noneResolved, tellFailures, tellSkipped } from './report/report.ts';

/** What says who the members are, and for whom. */
interface Task {
  readonly context: ServiceContext;
  readonly service: ServiceView;
  readonly settings: Settings;
  readonly resolution: Resolution;
  readonly reader: LoadBalancerReader;
}

const CHOOSING = new Set(
  [ANNOTATIONS.nodeSelector, ANNOTATIONS.readyEndpointsOnly, ANNOTATIONS.memberAddresses].map(nameOf),
);

/** Brings the members of present rules to the nodes of now, and changes nothing else. */
export class MemberUpdater {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** @param reader where rules and members are looked up */
  async update(
    context: ServiceContext,
    service: ServiceView,
    nodes: readonly NodeView[],
    reader = this.#parts.reader,
  ): Promise<readonly string[]> {
    const { settings, problems } = readAnnotations(service.annotations);
    const unreadable = problems.filter(({ field }) => CHOOSING.has(field));
    if (unreadable.length > 0) throw new InvalidServiceError(unreadable);
    const rules = await this.#parts.rules(context.scope, service, reader);
    const [first] = rules;
    // Without nodes the members stay as they are: an empty rule helps nobody.
    if (!first || nodes.length === 0) return [];
    const resolution = await this.#parts.resolve(context.scope, nodes, settings.nodeSelector);
    const { resolved, unresolved } = resolution;
    if (resolved.length === 0 && unresolved.length > 0)
      throw noneResolved(context, unresolved, await this.#parts.whereToLook(context.scope));
    if (resolved.length === 0) return [];
    const task = { context, service, settings, resolution, reader };
    await this.#parts.inNetwork(context, first.networkId, () => this.#update(task, rules));
    const networks = [...new Set(rules.map((rule) => rule.networkId))];
    return [...new Set(networks.flatMap((id) => wantedMembers(resolution, id, settings.memberAddresses).pending))];
  }

  async #update(task: Task, rules: readonly LoadBalancerRule[]): Promise<void> {
    for (const networkId of new Set(rules.map((rule) => rule.networkId))) {
      const own = rules.filter((rule) => rule.networkId === networkId);
      for (const address of new Set(own.map((rule) => rule.publicIp))) {
        const here = own.filter((rule) => rule.publicIp === address);
        await this.#parts.addressLocks.run(task.context.scope, address, () => this.#updateRules(task, here, networkId));
      }
    }
  }

  async #updateRules(
    { context, service, settings, resolution, reader }: Task,
    rules: readonly LoadBalancerRule[],
    networkId: string,
  ): Promise<void> {
    const reachable = wantedMembers(resolution, networkId, settings.memberAddresses);
    tellSkipped(context, reachable);
    if (reachable.nodes.size === 0) return;
    const wanted = readyMembers(context, service, settings, reachable);
    if (!wanted) return;
    const { scope, log } = context;
    const features = await this.#parts.features(scope);
    const { observed, unread } = await look(scope, reader, {
      rules,
      members: true,
      policies: false,
      firewallsOf: [],
      acl: 'none',
      features,
    });
    const steps = observed.rules.flatMap((rule) => memberSteps(rule, wanted));
    const { errors } = await this.#parts.executor.execute(scope, log, steps, networkId);
    const failure = tellFailures(context, errors, features, unread);
    if (failure) throw failure;
  }
}
