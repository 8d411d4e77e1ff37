import type {
  LoadBalancerStatus,
  NodeView,
  Notice,
  ServiceContext,
  ServiceView,
} from '@cloudstack-ccm/cloud-controllers';
import type { LoadBalancerRule } from '@cloudstack-ccm/cloudstack-client';
import type { Resolution } from '../instances/resolver.ts';
import { chooseNetwork } from './members/choose-network.ts';
import { Convergence } from './converge.ts';
import { desire, type Desired } from './plan/desired.ts';
import { InvalidServiceError, NodesNotMatchedError, NotServableError } from './errors.ts';
import { notice } from './report/events.ts';
import { wantedMembers, type WantedMembers } from './members/members.ts';
import { loadBalancerName } from './plan/names.ts';
import { networkFacts, type NetworkFacts } from './plan/network-facts.ts';
import type { Parts } from './parts.ts';
import type { Problem } from './annotations/problem.ts';
import { readyMembers } from './members/ready-members.ts';
import { noneMatched, noneResolved, tellSkipped, warnOf } from './report/report.ts';
import { readWish, type Wish } from './annotations/wish.ts';

/** A Service that can be read, and the nodes that it is for. */
interface Task {
  readonly context: ServiceContext;
  readonly service: ServiceView;
  readonly wish: Wish;
  readonly nodes: readonly NodeView[];
}

/** What is there before anything is done. */
interface Sight {
  readonly rules: readonly LoadBalancerRule[];
  readonly resolution: Resolution;
  readonly networkId: string;
}

/** Creates and updates load balancers: everything is checked before the first change. */
export class Ensurer {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async ensure(context: ServiceContext, service: ServiceView, nodes: readonly NodeView[]): Promise<LoadBalancerStatus> {
    const { wish, problems, warnings } = readWish(service);
    warnOf(context, warnings);
    if (!wish) throw invalid(context, problems);
    const task = { context, service, wish, nodes };
    const likely = await this.#likelyNetwork(task);
    if (likely !== undefined && !this.#parts.isFree(likely)) return this.#lookInTurn(task, likely);
    const sight = await this.#look(task);
    const { networkId } = sight;
    // Not awaited here: what waits for its turn, which may be long, must not hold on to what it has seen.
    return this.#parts.isFree(networkId)
      ? this.#parts.inNetwork(context, networkId, () => this.#converge(task, sight))
      : this.#lookInTurn(task, networkId);
  }

  /** What costs no question: a Service that has to wait anyway need not look before its turn. */
  async #likelyNetwork({ context, wish, nodes }: Task): Promise<string | undefined> {
    const resolution = await this.#parts.resolve(context.scope, nodes, wish.settings.nodeSelector);
    try {
      return chooseNetwork(resolution, wish.settings.memberAddresses);
    } catch (thrown) {
      if (thrown instanceof NodesNotMatchedError) return undefined;
      throw thrown;
    }
  }

  /** The world goes on while a Service waits. */
  #lookInTurn(task: Task, networkId: string): Promise<LoadBalancerStatus> {
    return this.#parts.inNetwork(task.context, networkId, async () => this.#converge(task, await this.#look(task)));
  }

  async #look({ context, service, wish, nodes }: Task): Promise<Sight> {
    const rules = await this.#parts.rules(context.scope, service);
    const resolution = await this.#resolve(context, wish, nodes, rules);
    return {
      rules,
      resolution,
      networkId: rules[0]?.networkId ?? chooseNetwork(resolution, wish.settings.memberAddresses),
    };
  }

  async #converge(
    { context, service, wish }: Task,
    { rules, resolution, networkId }: Sight,
  ): Promise<LoadBalancerStatus> {
    const loadBalancer = loadBalancerName(service.uid);
    const network = await this.#network(context, networkId);
    const reachable = await this.#members(context, resolution, network, wish);
    const members = reachable && readyMembers(context, service, wish.settings, reachable);
    const { desired, notices } = await this.#desire(context, { loadBalancer, wish, network, members, rules });
    const status = await new Convergence(this.#parts, { context, service, wish, network, desired }).run(rules);
    if (desired.rules.length === 0) throw notServable(notices);
    const pendingNodes = members?.pending ?? [];
    return pendingNodes.length > 0 ? { ...status, pendingNodes } : status;
  }

  /** @throws NodesNotMatchedError when there is nobody to send traffic to, and nobody was before */
  async #resolve(
    context: ServiceContext,
    wish: Wish,
    nodes: readonly NodeView[],
    rules: readonly LoadBalancerRule[],
  ): Promise<Resolution> {
    const resolution = await this.#parts.resolve(context.scope, nodes, wish.settings.nodeSelector);
    const { resolved, unresolved } = resolution;
    if (resolved.length > 0) return resolution;
    if (unresolved.length > 0) throw noneResolved(context, unresolved, await this.#parts.whereToLook(context.scope));
    if (rules.length > 0) return resolution;
    const selector = wish.settings.nodeSelector;
    const which = selector ? `: no node matches the selector ${selector.text}` : '';
    throw new NodesNotMatchedError(`There are no available nodes for LoadBalancer${which}`);
  }

  async #network(context: ServiceContext, id: string): Promise<NetworkFacts> {
    const network = await this.#parts.inventory.network(context.scope, id);
    if (network) return networkFacts(network);
    const where = await this.#parts.whereToLook(context.scope);
    const what = `could not find network ${id} of the nodes: it is not visible to these credentials, ${where}`;
    context.notify(notice('NodeNotMatched', what));
    throw new NodesNotMatchedError(`${what}; check project-id and the account of the API key`);
  }

  /** Undefined without nodes: the members then stay as they are. */
  async #members(
    context: ServiceContext,
    resolution: Resolution,
    network: NetworkFacts,
    wish: Wish,
  ): Promise<WantedMembers | undefined> {
    if (resolution.resolved.length === 0) return undefined;
    const members = wantedMembers(resolution, network.id, wish.settings.memberAddresses);
    if (members.nodes.size === 0)
      throw noneMatched(
        context,
        members.skipped.map(({ reason }) => reason),
        await this.#parts.whereToLook(context.scope),
      );
    tellSkipped(context, members);
    return members;
  }

  /** @throws InvalidServiceError, NotServableError when nothing of it can be served and nothing is there to remove */
  async #desire(
    context: ServiceContext,
    input: {
      readonly loadBalancer: string;
      readonly wish: Wish;
      readonly network: NetworkFacts;
      readonly members: WantedMembers | undefined;
      readonly rules: readonly LoadBalancerRule[];
    },
  ): Promise<{ readonly desired: Desired; readonly notices: readonly Notice[] }> {
    const features = await this.#parts.features(context.scope);
    const { desired, problems, notices } = desire({ ...input, features });
    for (const one of notices) context.notify(one);
    if (!desired) throw invalid(context, problems);
    const nothingToRemove = input.rules.length === 0 || !input.network.hasLoadBalancing;
    if (desired.rules.length === 0 && nothingToRemove) throw notServable(notices);
    return { desired, notices };
  }
}

function notServable(notices: readonly Notice[]): NotServableError {
  return new NotServableError(notices.map(({ message }) => message).join(' '));
}

function invalid(context: ServiceContext, problems: readonly Problem[]): InvalidServiceError {
  const error = new InvalidServiceError(problems);
  context.notify(notice('InvalidService', error.message));
  return error;
}
