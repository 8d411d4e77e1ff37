import { addressToNumber, parseBlock, type Block } from '../addresses.ts';
import { invalidValue } from '../api-error.ts';
import type { Network, NetworkOffering } from '../state.ts';

interface Request {
  readonly startip?: string | undefined;
  readonly endip?: string | undefined;
}

/**
 * The part of a new network that machines get addresses of. Networks with a source NAT router give addresses of the
 * whole network, whatever is asked for, as on the server; one address alone is a range of one.
 * @throws ApiError 431 for a range that is not inside of the network.
 */
export function guestRange(
  { startip, endip = startip }: Request,
  cidr: string | undefined,
  offering: NetworkOffering,
): Pick<Network, 'guestRange'> {
  const block = parseBlock(cidr ?? '');
  if (startip === undefined || endip === undefined || !block) return {};
  if (offering.services.some((service) => service.name === 'SourceNat')) return {};
  const first = insideOf(block, startip, 'start');
  const last = insideOf(block, endip, 'end');
  if (first > last) throw invalidValue('Please ensure that your end IP is not before your start IP');
  return { guestRange: [startip, endip] };
}

function insideOf(block: Block, address: string, which: 'start' | 'end'): number {
  const isAddress = parseBlock(`${address}/32`) !== undefined;
  const number = isAddress ? addressToNumber(address) : -1;
  if (number >= block.first && number < block.first + block.size) return number;
  throw invalidValue(`Please ensure that your ${which} IP is in the same subnet as your gateway`);
}
