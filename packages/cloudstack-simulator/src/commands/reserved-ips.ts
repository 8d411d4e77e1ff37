import { checkAccess } from '../access.ts';
import { invalidValue } from '../api-error.ts';
import { isRoot, type Call } from '../call.ts';
import { sync } from '../command.ts';
import { freeUp } from '../operations/public-ips.ts';
import { showPublicIp } from '../views/public-ip.ts';
import { ownerOf } from './virtual-machine-deploy.ts';

function address(call: Call, id: string) {
  const ip = call.state.publicIps.get(id);
  if (!ip) throw invalidValue('Unable to find IP address by ID');
  return ip;
}

export const reservedIpCommands = [
  sync({
    name: 'reserveIpAddress',
    description: 'Reserve a public IP to an account.',
    since: '4.17',
    event: 'NET.IPRESERVE',
    parameters: {
      id: { type: 'uuid', of: 'public-ip', required: true },
      account: { type: 'string' },
      domainid: { type: 'uuid', of: 'domain' },
      projectid: { type: 'uuid', of: 'project' },
    },
    run: (call, values) => {
      const ip = address(call, values.id);
      if (ip.state !== 'Free') throw invalidValue('Public IP address is not free to be reserved');
      const reserved = call.state.publicIps.update(ip.id, {
        state: 'Reserved',
        accountId: ownerOf(call, values),
        allocated: call.clock.now(),
      });
      return { ipaddress: showPublicIp(reserved ?? ip, call) };
    },
  }),
  sync({
    name: 'releaseIpAddress',
    description: 'Releases a Public IP back to the pool.',
    since: '4.17',
    event: 'NET.IPRELEASE',
    parameters: { id: { type: 'uuid', of: 'public-ip', required: true } },
    run: (call, { id }) => {
      const ip = address(call, id);
      if (ip.state !== 'Reserved') throw invalidValue('Public IP address is not reserved');
      if (!isRoot(call) && ip.accountId !== undefined) checkAccess(call, ip.accountId);
      freeUp(call, id);
      return { success: true };
    },
  }),
];
