import { type JsonObject, listAt, numberAt, textAt, textListAt, textsAt } from '../json.ts';
import { AGE, ageCell, formatLabels, NAME, nameCell, orNone } from './format.ts';
import type { TableRows } from './table.ts';

export const serviceTable: TableRows = {
  columns: [
    NAME,
    { name: 'Type', description: 'How the Service is exposed' },
    { name: 'Cluster-IP', description: 'The address inside the cluster' },
    { name: 'External-IP', description: 'The addresses or name outside the cluster' },
    { name: 'Port(s)', description: 'port[:nodePort]/protocol of each port' },
    AGE,
    { name: 'Selector', description: 'The labels of the pods that serve', priority: 1 },
  ],
  cells: (service, now) => [
    nameCell(service),
    textAt(service, 'spec', 'type'),
    orNone(textListAt(service, 'spec', 'clusterIPs')[0] ?? ''),
    externalIp(service),
    orNone(portsOf(service)),
    ageCell(service, now),
    formatLabels(textsAt(service, 'spec', 'selector')),
  ],
};

function externalIp(service: JsonObject): string {
  const externalIps = textListAt(service, 'spec', 'externalIPs');
  switch (textAt(service, 'spec', 'type')) {
    case 'ClusterIP':
    case 'NodePort':
      return orNone(externalIps.join(','));
    case 'LoadBalancer':
      return [...ingressOf(service), ...externalIps].join(',') || '<pending>';
    case 'ExternalName':
      return textAt(service, 'spec', 'externalName');
    default:
      return '<unknown>';
  }
}

function ingressOf(service: JsonObject): string[] {
  const ingress = listAt(service, 'status', 'loadBalancer', 'ingress');
  const names = ingress.map((item) => textAt(item, 'ip') || textAt(item, 'hostname'));
  return [...new Set(names)].filter((name) => name !== '').sort();
}

function portsOf(service: JsonObject): string {
  const ports = listAt(service, 'spec', 'ports').map((port) => {
    const nodePort = numberAt(port, 'nodePort');
    return `${numberAt(port, 'port')}${nodePort > 0 ? `:${nodePort}` : ''}/${textAt(port, 'protocol')}`;
  });
  return ports.join(',');
}
