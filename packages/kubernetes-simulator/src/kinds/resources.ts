import { structSchema } from '../schema/schema.ts';
import { eventTable } from '../table/event-table.ts';
import { nodeTable } from '../table/node-table.ts';
import * as plainTables from '../table/plain-tables.ts';
import { deploymentTable, podTable } from '../table/pod-table.ts';
import { serviceTable } from '../table/service-table.ts';
import type { TableRows } from '../table/table.ts';
import { eventStrategy } from './event.ts';
import { coreFieldName, eventsFieldName, toCoreVersion, toEventsVersion } from './event-versions.ts';
import { nodeStrategy } from './node.ts';
import * as plain from './plain-kinds.ts';
import { deploymentStrategy, podStrategy } from './pod.ts';
import type { Resource } from './resource.ts';
import { serviceStrategy } from './service.ts';
import type { Strategy } from './strategy.ts';

interface Declaration {
  readonly kind: string;
  /** The type's name in `kubernetes.schema`. */
  readonly type: string;
  readonly strategy: Strategy;
  readonly table: TableRows;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly clusterWide?: boolean;
  readonly hasStatus?: boolean;
  readonly conversion?: Resource['conversion'];
}

/** Everything that the API serves, in the order of `kubectl api-resources`. */
export const resources: readonly Resource[] = [
  declare('', 'v1', [
    {
      kind: 'ConfigMap',
      type: 'core/v1.ConfigMap',
      strategy: plain.configMapStrategy,
      table: plainTables.configMapTable,
      shortNames: ['cm'],
    },
    { kind: 'Event', type: 'core/v1.Event', strategy: eventStrategy, table: eventTable, shortNames: ['ev'] },
    {
      kind: 'Namespace',
      type: 'core/v1.Namespace',
      strategy: plain.namespaceStrategy,
      table: plainTables.namespaceTable,
      shortNames: ['ns'],
      clusterWide: true,
      hasStatus: true,
    },
    {
      kind: 'Node',
      type: 'core/v1.Node',
      strategy: nodeStrategy,
      table: nodeTable,
      shortNames: ['no'],
      clusterWide: true,
      hasStatus: true,
    },
    {
      kind: 'Pod',
      type: 'core/v1.Pod',
      strategy: podStrategy,
      table: podTable,
      shortNames: ['po'],
      categories: ['all'],
      hasStatus: true,
    },
    { kind: 'Secret', type: 'core/v1.Secret', strategy: plain.secretStrategy, table: plainTables.secretTable },
    {
      kind: 'ServiceAccount',
      type: 'core/v1.ServiceAccount',
      strategy: plain.serviceAccountStrategy,
      table: plainTables.serviceAccountTable,
      shortNames: ['sa'],
    },
    {
      kind: 'Service',
      type: 'core/v1.Service',
      strategy: serviceStrategy,
      table: serviceTable,
      shortNames: ['svc'],
      categories: ['all'],
      hasStatus: true,
    },
  ]),
  declare('apps', 'v1', [
    {
      kind: 'Deployment',
      type: 'apps/v1.Deployment',
      strategy: deploymentStrategy,
      table: deploymentTable,
      shortNames: ['deploy'],
      categories: ['all'],
      hasStatus: true,
    },
  ]),
  declare('coordination.k8s.io', 'v1', [
    { kind: 'Lease', type: 'coordination/v1.Lease', strategy: plain.leaseStrategy, table: plainTables.leaseTable },
  ]),
  declare('discovery.k8s.io', 'v1', [
    {
      kind: 'EndpointSlice',
      type: 'discovery/v1.EndpointSlice',
      strategy: plain.endpointSliceStrategy,
      table: plainTables.endpointSliceTable,
    },
  ]),
  declare('events.k8s.io', 'v1', [
    {
      kind: 'Event',
      type: 'events/v1.Event',
      strategy: eventStrategy,
      table: eventTable,
      shortNames: ['ev'],
      conversion: {
        fromStored: toEventsVersion,
        toStored: toCoreVersion,
        servedField: eventsFieldName,
        storedField: coreFieldName,
      },
    },
  ]),
  declare('rbac.authorization.k8s.io', 'v1', [
    {
      kind: 'ClusterRoleBinding',
      type: 'rbac/v1.ClusterRoleBinding',
      strategy: plain.roleBindingStrategy,
      table: plainTables.roleBindingTable,
      clusterWide: true,
    },
    {
      kind: 'ClusterRole',
      type: 'rbac/v1.ClusterRole',
      strategy: plain.roleStrategy,
      table: plainTables.roleTable,
      clusterWide: true,
    },
    {
      kind: 'RoleBinding',
      type: 'rbac/v1.RoleBinding',
      strategy: plain.roleBindingStrategy,
      table: plainTables.roleBindingTable,
    },
    { kind: 'Role', type: 'rbac/v1.Role', strategy: plain.roleStrategy, table: plainTables.roleTable },
  ]),
].flat();

export function findResource(group: string, version: string, name: string): Resource | undefined {
  return resources.find(
    (resource) => resource.group === group && resource.version === version && resource.name === name,
  );
}

/** By `apiVersion` and `kind`, as objects name them. */
export function findKind(groupVersion: string, kind: string): Resource | undefined {
  return resources.find((resource) => resource.groupVersion === groupVersion && resource.kind === kind);
}

/** The group and version of a stored object: the first that serves the resource. */
export function storedResource(name: string): Resource | undefined {
  return resources.find((resource) => resource.name === name);
}

function declare(group: string, version: string, declarations: readonly Declaration[]): Resource[] {
  return declarations.map((declaration) => ({
    group,
    version,
    groupVersion: group === '' ? version : `${group}/${version}`,
    name: `${declaration.kind.toLowerCase()}s`,
    singular: declaration.kind.toLowerCase(),
    kind: declaration.kind,
    shortNames: declaration.shortNames ?? [],
    categories: declaration.categories ?? [],
    namespaced: declaration.clusterWide !== true,
    hasStatus: declaration.hasStatus === true,
    schema: structSchema(declaration.type),
    strategy: declaration.strategy,
    table: declaration.table,
    ...(declaration.conversion && { conversion: declaration.conversion }),
  }));
}
