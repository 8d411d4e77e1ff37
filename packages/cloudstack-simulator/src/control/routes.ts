import { InvalidInputError } from '@cloudstack-ccm/base';
import { readFaultRule } from '../fault-schema.ts';
import { readSettings } from '../scene/schema.ts';
import type { Simulator } from '../simulator-handle.ts';
import { liveView } from './live-view.ts';

export interface Reply {
  readonly status: number;
  readonly contentType?: string;
  readonly body?: unknown;
}

type Parameters = Readonly<Record<string, string>>;
type Route = (simulator: Simulator, body: unknown, parameters: Parameters) => Reply;

const DONE: Reply = { status: 200, body: { done: true } };

/** Method and path; `:name` stands for one part of the path. */
const ROUTES: Readonly<Record<string, Route>> = {
  'GET /state': (simulator) => ({ status: 200, body: liveView(simulator) }),
  'GET /calls': ({ callLog }) => ({ status: 200, body: { counts: callLog.counts, calls: callLog.entries } }),
  'GET /writes': ({ writeLog }) => ({ status: 200, body: { counts: writeLog.counts, calls: writeLog.entries } }),
  'DELETE /calls': ({ callLog, writeLog }) => {
    callLog.clear();
    writeLog.clear();
    return DONE;
  },
  'GET /faults': ({ faults }) => ({ status: 200, body: faults.list() }),
  'POST /faults': ({ faults }, body) => ({ status: 201, body: { id: faults.add(readFaultRule(body)) } }),
  'DELETE /faults': ({ faults }) => {
    faults.clear();
    return DONE;
  },
  'DELETE /faults/:id': ({ faults }, _, { id }) => {
    faults.remove(Number(id));
    return DONE;
  },
  'POST /snapshots/:name': (simulator, _, { name = '' }) => {
    simulator.snapshots.set(name, simulator.snapshot());
    return { status: 201, body: { name } };
  },
  'POST /snapshots/:name/restore': (simulator, _, { name = '' }) => {
    const snapshot = simulator.snapshots.get(name);
    if (!snapshot) throw new InvalidInputError(`There is no snapshot ${name}`);
    simulator.restore(snapshot);
    return DONE;
  },
  'POST /reset': (simulator) => {
    simulator.reset();
    return DONE;
  },
  'POST /restart': (simulator) => {
    simulator.restart();
    return DONE;
  },
  'PUT /timing': (simulator, body) => {
    simulator.setTiming(readTiming(text(body, 'name')));
    return DONE;
  },
  'PUT /settings': ({ conditions }, body) => {
    conditions.configure(readSettings(body));
    return DONE;
  },
  'PUT /clock': ({ conditions }, body) => {
    conditions.skewClock(readSkew(body));
    return DONE;
  },
  'POST /accounts/:name/revoke-keys': ({ conditions }, _, { name = '' }) => {
    conditions.revokeKeys(name);
    return DONE;
  },
  'POST /accounts/:name/move-keys': ({ conditions }, body, { name = '' }) => {
    conditions.moveKeys(name, text(body, 'to'));
    return DONE;
  },
  'PUT /routers/:network': ({ conditions }, body, { network = '' }) => {
    conditions.setRouter(network, readRouterState(text(body, 'state')));
    return DONE;
  },
};

/** All routes, for the documentation and its test. */
export const routeNames: readonly string[] = Object.keys(ROUTES);

export function findRoute(method: string, path: string): { route: Route; parameters: Parameters } | undefined {
  for (const [name, route] of Object.entries(ROUTES)) {
    const [routeMethod, pattern = ''] = name.split(' ');
    const parameters = routeMethod === method ? match(pattern, path) : undefined;
    if (parameters) return { route, parameters };
  }
  return undefined;
}

function match(pattern: string, path: string): Parameters | undefined {
  const [wanted, given] = [pattern.split('/'), path.split('/')];
  if (wanted.length !== given.length) return undefined;
  const parameters: Record<string, string> = {};
  for (const [index, part] of wanted.entries()) {
    const value = decoded(given[index] ?? '');
    if (part.startsWith(':')) parameters[part.slice(1)] = value;
    else if (part !== value) return undefined;
  }
  return parameters;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw new InvalidInputError(`The path has the malformed part ${part}`);
  }
}

function readTiming(name: string): 'instant' | 'recorded' {
  if (name === 'instant' || name === 'recorded') return name;
  throw new InvalidInputError(`name must be instant or recorded, not ${name}`);
}

function readRouterState(state: string): 'Running' | 'Stopped' {
  if (state === 'Running' || state === 'Stopped') return state;
  throw new InvalidInputError(`state must be Running or Stopped, not ${state}`);
}

/** Further away, dates get other forms, or none. */
const FARTHEST_SKEW_MS = 100 * 365 * 24 * 3_600_000;

function readSkew(body: unknown): number {
  const ms = number(body, 'skewMs');
  if (Math.abs(ms) <= FARTHEST_SKEW_MS) return ms;
  throw new InvalidInputError('skewMs must be within a hundred years');
}

function field(body: unknown, name: string): unknown {
  return typeof body === 'object' && body !== null
    ? Object.entries(body).find(([key]) => key === name)?.[1]
    : undefined;
}

function text(body: unknown, name: string): string {
  const value = field(body, name);
  if (typeof value === 'string') return value;
  throw new InvalidInputError(`${name} must be a text`);
}

function number(body: unknown, name: string): number {
  const value = field(body, name);
  if (typeof value === 'number') return value;
  throw new InvalidInputError(`${name} must be a number`);
}
