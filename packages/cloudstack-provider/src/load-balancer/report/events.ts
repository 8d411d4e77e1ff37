import type { Notice } from '@cloudstack-ccm/cloud-controllers';

/**
 * Every event that a load balancer gives of its own. The reason is stable: people filter and alert on it. `advice` is
 * what the reader should do, empty where that is nothing; the message of each event says first what happened, to what.
 */
export const EVENTS = {
  InvalidService: warning('Correct the Service. Nothing was changed in CloudStack.'),
  UnknownAnnotation: warning('Correct the name of the annotation, or remove it.'),
  PortNotSupported: warning('Use another network offering or port, or remove the port from the Service.'),
  LoadBalancingNotOffered: warning('Use a network whose offering has the Lb service.'),
  NodeNotMatched: warning(
    'Compare the names or provider IDs of the nodes with the virtual machines, and check project and account.',
  ),
  NoReadyEndpoints: warning('Look at the pods of the Service: no traffic gets through until one is ready on a node.'),
  EndpointsNotKnown: warning(
    'Permit list and watch of endpointslices (discovery.k8s.io) to the service account of the controller.',
  ),
  MemberRefused: warning('Look at the virtual machine in CloudStack. It is tried again.'),
  TrafficInterrupted: normal('CloudStack cannot change this in place.'),
  SourceRangesNotEnforced: warning(
    'Upgrade CloudStack, or filter elsewhere: more sources reach the Service than asked.',
  ),
  ForeignFirewallRule: warning('Delete the firewall rule if nobody needs it, or leave it: it is not ours to change.'),
  NetworkAclNotEditable: warning('Give the tier a network ACL list of its own if traffic depends on it.'),
  NetworkAclShadowed: warning('Move or delete the Deny item if the Service should be reachable.'),
  NetworkAclNotPermitted: warning('Permit the network ACL commands to the role of the API key.'),
  StickinessNotPermitted: warning('Permit the stickiness policy commands to the role of the API key.'),
  TaggingNotPermitted: warning('Permit createTags and deleteTags to the role of the API key.'),
  AddressAssociated: normal('It is released with the Service.'),
  AddressReleased: normal(''),
  AddressKept: normal('Release the public IP in CloudStack when nothing else needs it.'),
  AddressNotUsable: warning('Ask for another public IP address.'),
  AddressChanging: warning(
    'What is there goes on serving, new ports wait until the state is Allocated. If it stays, a job was cut: see the ' +
      'log of the management server.',
  ),
  AddressLimitReached: warning('Raise the limit of public IP addresses, or release some.'),
  AddressPoolExhausted: warning('Add public IP addresses to the zone, or release some.'),
  PortConflict: warning('Delete the other rule, or use another port or public IP address.'),
  RuleRefused: warning('See what CloudStack says. Ports may be reserved, for example 8081 for its statistics.'),
} as const satisfies Readonly<Record<string, EventKind>>;

export type EventReason = keyof typeof EVENTS;

interface EventKind {
  readonly type: Notice['type'];
  readonly advice: string;
}

/** @param what one sentence without a full stop: what happened, and to what. */
export function notice(reason: EventReason, what: string): Notice {
  const { type, advice } = EVENTS[reason];
  return { type, reason, message: advice === '' ? `${what}.` : `${what}. ${advice}` };
}

function warning(advice: string): EventKind {
  return { type: 'Warning', advice };
}

function normal(advice: string): EventKind {
  return { type: 'Normal', advice };
}
