export { decorate, type Call, type Decorator, type Dispatch } from './call.ts';
export { createCloudStackClient, type ClientOptions, type CloudStackClient } from './client.ts';
export type { Commands } from './commands/bind.ts';
export type { ProjectSource } from './commands/caller.ts';
export type { CreateFirewallRule, FirewallRuleFilter } from './commands/firewall-rules.ts';
export type { ApiFilter, ProjectFilter, ServiceOfferingFilter, ZoneFilter } from './commands/installation.ts';
export type {
  CreateLoadBalancerRule,
  LoadBalancerRuleFilter,
  RuleMembers,
  UpdateLoadBalancerRule,
} from './commands/load-balancer-rules.ts';
export type {
  CreateNetworkAclItem,
  NetworkAclItemFilter,
  NetworkAclListFilter,
  UpdateNetworkAclItem,
} from './commands/network-acls.ts';
export type { NetworkFilter, VpcFilter } from './commands/networks.ts';
export type { PortForwardingRuleFilter } from './commands/port-forwarding-rules.ts';
export type { AssociateIpAddress, PublicIpFilter } from './commands/public-ips.ts';
export type { CreateStickinessPolicy } from './commands/stickiness-policies.ts';
export type { TagChange, TaggedResource, TagFilter } from './commands/tags.ts';
export type { VirtualMachineDetail, VirtualMachineFilter } from './commands/virtual-machines.ts';
export type { Api, ApiParameter } from './entities/api.ts';
export type { Capabilities } from './entities/capabilities.ts';
export type { FirewallRule } from './entities/firewall-rule.ts';
export type { LoadBalancerRule, LoadBalancerRuleInstance } from './entities/load-balancer-rule.ts';
export type { NetworkAclItem, NetworkAclList } from './entities/network-acl.ts';
export type { Network, NetworkService } from './entities/network.ts';
export type { Owner } from './entities/owner.ts';
export type { PortForwardingRule } from './entities/port-forwarding-rule.ts';
export type { Project } from './entities/project.ts';
export type { PublicIp } from './entities/public-ip.ts';
export type { ServiceOffering } from './entities/service-offering.ts';
export type { StickinessPolicy } from './entities/stickiness-policy.ts';
export type { ResourceTag, Tag } from './entities/tag.ts';
export type { Nic, VirtualMachine } from './entities/virtual-machine.ts';
export type { Vpc } from './entities/vpc.ts';
export type { Zone } from './entities/zone.ts';
export {
  AnswerTooLargeError,
  CapacityError,
  CloudStackApiError,
  ConflictError,
  DecodeError,
  ForbiddenError,
  IncompleteListError,
  InvalidParameterError,
  JobInterruptedError,
  JobTimeoutError,
  LimitExceededError,
  mayHaveHappened,
  NotFoundError,
  NotJsonError,
  RateLimitedError,
  TransportError,
  UnauthorizedError,
  UnavailableError,
  WriteFencedError,
  type Refusal,
} from './errors.ts';
export { hideSecrets } from './hide-secrets.ts';
export type { RateLimitOptions } from './dispatch/rate-limit.ts';
export { completed, type Job } from './jobs/job.ts';
export type { JobPaceOptions } from './jobs/job-pace.ts';
export type { Params, ParamValue } from './params.ts';
export type { Credentials } from './sign.ts';
export type { Connection, Proxy } from './transport/connection.ts';
