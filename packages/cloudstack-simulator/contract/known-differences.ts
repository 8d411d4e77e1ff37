const DOCUMENTATION =
  "descriptions, related commands and response fields are CloudStack's documentation; what is sent and called is tested apart";

/** Recorded cases in which the simulator is known to answer differently, each with the reason. */
export const knownDifferences: Readonly<Record<string, string>> = {
  'listApis/name-assignToLoadBalancerRule': DOCUMENTATION,
  'listApis/name-associateIpAddress': DOCUMENTATION,
  'listApis/name-createFirewallRule': DOCUMENTATION,
  'listApis/name-createLoadBalancerRule': DOCUMENTATION,
  'listApis/name-createNetworkACL': DOCUMENTATION,
  'listApis/name-createTags': DOCUMENTATION,
  'listApis/name-listManagementServersMetrics-as-admin': DOCUMENTATION,
  'listApis/name-listManagementServersMetrics-custom-role': DOCUMENTATION,
  'listApis/name-listNetworks': DOCUMENTATION,
  'listApis/name-listPublicIpAddresses': DOCUMENTATION,
  'listApis/name-listVirtualMachines': DOCUMENTATION,
  'listApis/name-updateLoadBalancerRule': DOCUMENTATION,
  'listApis/name-updateNetworkACLItem': DOCUMENTATION,
  'addIpToNic/ok.job':
    'the real server takes the number of the secondary address for that of a public one, and names it',
  'disassociateIpAddress/already-free-as-admin':
    'the text is that of the database driver, with the statement that failed',
};
