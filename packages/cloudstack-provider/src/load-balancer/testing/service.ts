import { Scope, silentLogger } from '@cloudstack-ccm/base';
import type { Notice, ServiceContext, ServicePort, ServiceView } from '@cloudstack-ccm/cloud-controllers';
import { PREFIX } from '../annotations/annotations.ts';

/** `80`, `53/UDP`, `443:31443`, `443/TCP:31443`: the node port is 30000 and the port unless it is given. */
export function port(text: string, appProtocol = ''): ServicePort {
  const [, number = '', protocol = 'TCP', nodePort] = /^(\d+)(?:\/(\w+))?(?::(\d+))?$/.exec(text) ?? [];
  return {
    name: `p${number}`,
    protocol: protocol === 'UDP' ? 'UDP' : protocol === 'SCTP' ? 'SCTP' : 'TCP',
    port: Number(number),
    nodePort: Number(nodePort ?? 30_000 + (Number(number) % 2000)),
    appProtocol,
  };
}

export const UID = '11111111-2222-3333-4444-555555555555';
export const LB = 'a1111111122223333444455555555555';

/** A Service as views of it are built for the cloud: `default/web`, one port 80, unless told otherwise. */
export function view(changes: Partial<ServiceView> = {}): ServiceView {
  return {
    namespace: 'default',
    name: 'web',
    uid: UID,
    annotations: {},
    ports: [port('80:31080')],
    sessionAffinity: 'None',
    loadBalancerIp: '',
    loadBalancerSourceRanges: [],
    externalTrafficPolicy: 'Cluster',
    ipFamilies: ['IPv4'],
    ingress: [],
    ...changes,
  };
}

/** A Service in an API server that never fails, and what its author was told. */
export class TestService {
  readonly notices: Notice[] = [];
  /** Asked before annotations are stored: throw to refuse. */
  beforeAnnotate: (changes: Readonly<Record<string, string | null>>) => void = () => undefined;
  /** Told when annotations have been stored. */
  afterAnnotate: () => void = () => undefined;
  annotationWrites = 0;
  /** As the controller was told it. */
  clusterName = 'kubernetes';
  /** How it waited for its turn. */
  readonly steps: ('aside' | 'back')[] = [];
  #view: ServiceView;
  #scope: Scope | undefined;

  constructor(changes: Partial<ServiceView> = {}) {
    this.#view = view(changes);
  }

  get view(): ServiceView {
    return this.#view;
  }

  /** What a user changes. */
  edit(changes: Partial<ServiceView>): void {
    this.#view = { ...this.#view, ...changes };
  }

  /** Sets or removes annotations by the part of their names after the prefix, as a user does. */
  annotate(changes: Readonly<Record<string, string | null>>): void {
    this.#store(Object.fromEntries(Object.entries(changes).map(([suffix, value]) => [PREFIX + suffix, value])));
  }

  annotation(suffix: string): string | undefined {
    return this.#view.annotations[PREFIX + suffix];
  }

  /** Reasons of what its author was told since the last call. */
  takeReasons(): readonly string[] {
    return this.notices.splice(0).map((notice) => notice.reason);
  }

  takeMessages(): string {
    return this.notices
      .splice(0)
      .map((notice) => `${notice.reason}: ${notice.message}`)
      .join('\n');
  }

  /** Ends the work that is under way. */
  interrupt(reason: Error): void {
    this.#scope?.cancel(reason);
  }

  async work<T>(call: (context: ServiceContext, view: ServiceView) => Promise<T>): Promise<T> {
    using scope = Scope.root();
    this.#scope = scope;
    const context: ServiceContext = {
      scope,
      log: silentLogger,
      clusterName: this.clusterName,
      mayWrite: () => true,
      stepAside: () => {
        this.steps.push('aside');
        return async () => void this.steps.push('back');
      },
      notify: (notice) => void this.notices.push(notice),
      annotate: async (changes) => {
        this.beforeAnnotate(changes);
        this.annotationWrites++;
        this.#store(changes);
        this.afterAnnotate();
      },
    };
    return await call(context, this.#view);
  }

  #store(changes: Readonly<Record<string, string | null>>): void {
    const merged = Object.entries({ ...this.#view.annotations, ...changes });
    const annotations = Object.fromEntries(merged.flatMap(([name, value]) => (value === null ? [] : [[name, value]])));
    this.edit({ annotations });
  }
}
