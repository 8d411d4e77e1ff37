import { InvalidInputError, type Secret } from '@cloudstack-ccm/base';
import type { Credentials } from '../sign.ts';

/** Where CloudStack is and how to get there. */
export interface Connection extends Credentials {
  /** For example `https://cloud.example.org/client/api`. */
  readonly url: string;
  /** False switches the check of the server's certificate off. Default true. */
  readonly verifyCertificate?: boolean;
  /** Certificates in PEM form that are trusted instead of the system's. */
  readonly certificateAuthorities?: string | undefined;
  /** Default: no proxy. */
  readonly proxy?: Proxy | undefined;
  /** How long one call may take, queueing, retries and reading included. Default 60 s. */
  readonly timeoutMs?: number;
}

export type Proxy =
  /** It may hold a password. */
  | { readonly url: Secret }
  /** `HTTP_PROXY`, `HTTPS_PROXY` and `NO_PROXY`, in either case, decide. */
  | { readonly environment: Readonly<Record<string, string | undefined>> };

/** @throws InvalidInputError, without the URL: it may hold a password. */
export function endpointOf(connection: Connection): URL {
  const url = URL.canParse(connection.url) ? new URL(connection.url) : undefined;
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:') {
    throw new InvalidInputError('the API URL must be complete, for example https://cloud.example.org/client/api');
  }
  return url;
}
