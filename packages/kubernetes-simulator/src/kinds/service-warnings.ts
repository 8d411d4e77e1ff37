import { type JsonObject, textAt } from '../json.ts';
import { isHeadless, viewService } from './service-view.ts';

/** What kube-apiserver warns of. */
export function serviceWarnings(service: JsonObject): string[] {
  const view = viewService(service);
  const headless = isHeadless(view) && view.type === 'ClusterIP';
  const isNamed = view.type === 'ExternalName';
  const hasIps = view.externalIps.length > 0;
  const distribution = textAt(service, 'spec', 'trafficDistribution');
  const warnings: [applies: boolean, text: string][] = [
    [
      headless && textAt(service, 'spec', 'loadBalancerIP') !== '',
      'spec.loadBalancerIP is ignored for headless services',
    ],
    [headless && hasIps, 'spec.externalIPs is ignored for headless services'],
    [
      headless && textAt(service, 'spec', 'sessionAffinity') !== 'None',
      'spec.SessionAffinity is ignored for headless services',
    ],
    [
      hasIps && !headless && !isNamed,
      'spec.externalIPs is deprecated and may no longer be implemented in some clusters',
    ],
    [isNamed && hasIps, 'spec.externalIPs is ignored when spec.type is "ExternalName"'],
    [
      !isNamed && textAt(service, 'spec', 'externalName') !== '',
      'spec.externalName is ignored when spec.type is not "ExternalName"',
    ],
    [distribution === 'PreferClose', 'spec.trafficDistribution: "PreferClose" is deprecated; use "PreferSameZone"'],
  ];
  return warnings.filter(([applies]) => applies).map(([, text]) => text);
}
