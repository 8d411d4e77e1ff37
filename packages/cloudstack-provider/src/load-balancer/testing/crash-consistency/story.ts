import type { Decorator } from '@cloudstack-ccm/cloudstack-client';
import type { Place } from '../worlds.ts';
import type { World } from './world.ts';

/** What somebody changes, once, and what the process then does about it, again and again until it succeeds. */
export interface Step {
  readonly change: (world: World) => unknown;
  readonly react: (world: World) => Promise<unknown>;
  /** What the next process does when that one died; default the same. */
  readonly recover?: (world: World) => Promise<unknown>;
}

/** A part of the life of a Service or two. */
export interface Story {
  readonly name: string;
  /** Default an isolated network. */
  readonly where?: Place['where'];
  /** Default 4.22. */
  readonly version?: Place['version'];
  /** Stand between the process and the cloud, in all its lives. */
  readonly decorators?: readonly Decorator[];
  /** What there is before the first step. */
  readonly prepare?: (world: World) => unknown;
  readonly steps: readonly Step[];
}

type Edit = Parameters<World['web']['edit']>[0];
type Annotations = Parameters<World['web']['annotate']>[0];
type Who = 'web' | 'api';

export function change(make: Step['change'], who: Who = 'web'): Step {
  return { change: make, react: (world) => world.ensure(world[who]) };
}

export function ensure(who: Who = 'web'): Step {
  return change(() => undefined, who);
}

export function edit(changes: Edit, who: Who = 'web'): Step {
  return change((world) => world[who].edit(changes), who);
}

export function annotate(changes: Annotations, who: Who = 'web'): Step {
  return change((world) => world[who].annotate(changes), who);
}

export function remove(who: Who = 'web'): Step {
  return { change: () => undefined, react: (world) => world.delete(world[who]) };
}

/** The nodes change, which only members follow. */
export function nodes(...names: readonly string[]): Step {
  return { change: (world) => void (world.nodes = names), react: (world) => world.updateMembers(world.web) };
}

/** The Service is deleted while its load balancer is made, or just after. */
export const madeAndRegretted: Step = {
  change: () => undefined,
  react: async (world) => {
    await world.ensure(world.web);
    await world.delete(world.web);
  },
  recover: (world) => world.delete(world.web),
};
