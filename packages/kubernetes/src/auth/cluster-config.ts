import type { PemSource } from './pem-source.ts';
import type { TokenSource } from './token-source.ts';

/** Everything needed to talk to one API server as one user. */
export interface ClusterConfig {
  /** For example `https://10.0.0.1:6443`; may have a path. No trailing slash. */
  readonly server: string;
  readonly tls: {
    /** Certificate authorities to trust instead of the system's. */
    readonly ca: PemSource | undefined;
    readonly insecureSkipVerify: boolean;
    /** The name the server's certificate must carry; undefined: the host in `server`. */
    readonly serverName: string | undefined;
    readonly clientCertificate: { readonly certificate: PemSource; readonly key: PemSource } | undefined;
  };
  /** Undefined: no bearer token is sent. */
  readonly token: TokenSource | undefined;
  /** The namespace of the context or of the pod. */
  readonly namespace: string;
  /** Where this came from, for a log line: `in-cluster`, or the files. */
  readonly origin: string;
}
