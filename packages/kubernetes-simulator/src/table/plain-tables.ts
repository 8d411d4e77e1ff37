import { type JsonObject, listAt, numberAt, objectAt, textAt, textListAt } from '../json.ts';
import { AGE, ageCell, NAME, nameCell, shortList } from './format.ts';
import type { TableRows } from './table.ts';

/** The columns of the kinds that need few. */

export const namespaceTable: TableRows = {
  columns: [NAME, { name: 'Status', description: 'Active or Terminating' }, AGE],
  cells: (namespace, now) => [nameCell(namespace), textAt(namespace, 'status', 'phase'), ageCell(namespace, now)],
};

export const leaseTable: TableRows = {
  columns: [NAME, { name: 'Holder', description: 'Who holds the lease' }, AGE],
  cells: (lease, now) => [nameCell(lease), textAt(lease, 'spec', 'holderIdentity'), ageCell(lease, now)],
};

export const configMapTable: TableRows = {
  columns: [NAME, { name: 'Data', description: 'How many keys it has' }, AGE],
  cells: (configMap, now) => [
    nameCell(configMap),
    countKeys(configMap, 'data') + countKeys(configMap, 'binaryData'),
    ageCell(configMap, now),
  ],
};

export const secretTable: TableRows = {
  columns: [
    NAME,
    { name: 'Type', description: 'What it is for' },
    { name: 'Data', description: 'How many keys it has' },
    AGE,
  ],
  cells: (secret, now) => [nameCell(secret), textAt(secret, 'type'), countKeys(secret, 'data'), ageCell(secret, now)],
};

export const serviceAccountTable: TableRows = {
  columns: [NAME, AGE],
  cells: (account, now) => [nameCell(account), ageCell(account, now)],
};

export const endpointSliceTable: TableRows = {
  columns: [
    NAME,
    { name: 'AddressType', description: 'What its addresses are' },
    { name: 'Ports', description: 'The ports of each endpoint' },
    { name: 'Endpoints', description: 'The addresses' },
    AGE,
  ],
  cells: (slice, now) => [
    nameCell(slice),
    textAt(slice, 'addressType'),
    shortList(listAt(slice, 'ports').map((port) => String(numberAt(port, 'port') || textAt(port, 'name') || '*'))),
    shortList(listAt(slice, 'endpoints').flatMap((endpoint) => textListAt(endpoint, 'addresses'))),
    ageCell(slice, now),
  ],
};

/** Roles have no columns of their own. */
export const roleTable: TableRows = {
  columns: [NAME, { name: 'Created At', type: 'date', description: 'When the object was created' }],
  cells: (role) => [nameCell(role), textAt(role, 'metadata', 'creationTimestamp')],
};

export const roleBindingTable: TableRows = {
  columns: [
    NAME,
    { name: 'Role', description: 'The role that is given' },
    AGE,
    { name: 'Users', description: 'Users that get it', priority: 1 },
    { name: 'Groups', description: 'Groups that get it', priority: 1 },
    { name: 'ServiceAccounts', description: 'Service accounts that get it', priority: 1 },
  ],
  cells: (binding, now) => [
    nameCell(binding),
    `${textAt(binding, 'roleRef', 'kind')}/${textAt(binding, 'roleRef', 'name')}`,
    ageCell(binding, now),
    subjects(binding, 'User'),
    subjects(binding, 'Group'),
    subjects(binding, 'ServiceAccount'),
  ],
};

function subjects(binding: JsonObject, kind: string): string {
  const named = listAt(binding, 'subjects').filter((subject) => textAt(subject, 'kind') === kind);
  const names = named.map((subject) =>
    kind === 'ServiceAccount' ? `${textAt(subject, 'namespace')}/${textAt(subject, 'name')}` : textAt(subject, 'name'),
  );
  return names.join(', ');
}

function countKeys(object: JsonObject, key: string): number {
  return Object.keys(objectAt(object, key)).length;
}
