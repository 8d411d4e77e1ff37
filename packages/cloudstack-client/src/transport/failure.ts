import { asError } from '@cloudstack-ccm/base';
import { TransportError } from '../errors.ts';

interface Circumstances {
  readonly command: string;
  readonly host: string;
  /** True once a byte of the call may have left. */
  readonly sent: boolean;
}

/**
 * A failed connection as our error. The thrown error itself is dropped: Node hangs requests, raw packets and proxy
 * URLs on some, and with them keys and signatures.
 */
export function transportError(thrown: unknown, { command, host, sent }: Circumstances): TransportError {
  const reason = codeOf(thrown);
  return new TransportError({ command, host, reason, what: describe(thrown, reason), sent: sent ? 'maybe' : 'no' });
}

function codeOf(thrown: unknown): string {
  const code: unknown = thrown instanceof Error && 'code' in thrown ? thrown.code : undefined;
  return typeof code === 'string' ? code : '';
}

/** In the place of Node's advice to its own users. */
const HINT = ': give the authority that issued it';

/** What Node says is free of secrets for the system's errors and for TLS; for the rest, its code must do. */
function describe(thrown: unknown, reason: string): string {
  if (reason.startsWith('ERR_PROXY')) return `the proxy did not let the connection through (${reason})`;
  if (reason.startsWith('HPE_')) return `the answer is not HTTP (${reason})`;
  const message = asError(thrown).message.replace(/; if the root CA is installed locally.*$/s, HINT);
  return message === '' ? reason : message;
}
