import {
  boolFlag,
  durationFlag,
  flag,
  InvalidInputError,
  int32ListFlag,
  intFlag,
  ipFlag,
  stringFlag,
  stringListFlag,
  type FlagType,
} from '@cloudstack-ccm/base';

const NO_WEBHOOKS = 'Accepted for compatibility; there are no webhooks here.';

/** A certificate for the clients that ask for one of these names; no names: those in the certificate. */
export interface NamedCertificate {
  readonly certFile: string;
  readonly keyFile: string;
  readonly names: readonly string[];
}

const namedCertificatesType: FlagType<readonly NamedCertificate[]> = {
  name: 'namedCertKey',
  parse: (text) => [parseNamedCertificate(text)],
  format: (value) => `[${value.map(formatNamedCertificate).join(';')}]`,
  combine: (earlier, later) => [...earlier, ...later],
};

function parseNamedCertificate(text: string): NamedCertificate {
  const at = text.indexOf(':');
  const files = (at < 0 ? text : text.slice(0, at)).split(',').map((part) => part.trim());
  const names = at < 0 ? undefined : text.slice(at + 1).trim();
  if (names === '') throw new InvalidInputError('empty names list is not allowed');
  const [certFile = '', keyFile = ''] = files;
  if (files.length !== 2) throw new InvalidInputError('expected comma separated certificate and key file paths');
  return { certFile, keyFile, names: names?.split(',').map((name) => name.trim()) ?? [] };
}

function formatNamedCertificate({ certFile, keyFile, names }: NamedCertificate): string {
  return `${certFile},${keyFile}${names.length > 0 ? `:${names.join(',')}` : ''}`;
}

const namedCertificates = (name: string, usage: string) => flag(namedCertificatesType, name, [], usage);

export const webhookServingFlags = {
  webhookBindAddress: ipFlag('webhook-bind-address', '0.0.0.0', `The IP address of the webhook port. ${NO_WEBHOOKS}`),
  webhookCertDir: stringFlag('webhook-cert-dir', '', `The directory of the TLS certificates. ${NO_WEBHOOKS}`),
  webhookDisableHttp2: boolFlag('webhook-disable-http2-serving', false, `Serve HTTP/1.1 only. ${NO_WEBHOOKS}`),
  webhookSecurePort: intFlag('webhook-secure-port', 10260, `The port of webhooks, 0 for none. ${NO_WEBHOOKS}`),
  webhookTlsCertFile: stringFlag('webhook-tls-cert-file', '', `The x509 certificate. ${NO_WEBHOOKS}`),
  webhookTlsCipherSuites: stringListFlag('webhook-tls-cipher-suites', [], `Cipher suites. ${NO_WEBHOOKS}`),
  webhookTlsCurves: int32ListFlag('webhook-tls-curve-preferences', [], `Key exchange curves. ${NO_WEBHOOKS}`),
  webhookTlsMinVersion: stringFlag('webhook-tls-min-version', '', `Minimum TLS version. ${NO_WEBHOOKS}`),
  webhookTlsKeyFile: stringFlag('webhook-tls-private-key-file', '', `The x509 private key. ${NO_WEBHOOKS}`),
  webhookTlsSniCertKey: namedCertificates('webhook-tls-sni-cert-key', `Certificates by name. ${NO_WEBHOOKS}`),
};

export const secureServingFlags = {
  bindAddress: ipFlag('bind-address', '0.0.0.0', 'The IP address on which to listen for the --secure-port port.'),
  certDir: stringFlag(
    'cert-dir',
    '',
    'The directory of cloud-controller-manager.crt and .key, which are made if they are not both readable. ' +
      'Empty for a self-signed certificate in memory. Ignored with --tls-cert-file and --tls-private-key-file.',
  ),
  disableHttp2: boolFlag('disable-http2-serving', false, 'Accepted without effect: HTTP/1.1 is all that is served.'),
  http2MaxStreams: intFlag(
    'http2-max-streams-per-connection',
    0,
    'Accepted without effect: HTTP/1.1 is all that is served.',
  ),
  permitAddressSharing: boolFlag(
    'permit-address-sharing',
    false,
    'If true, SO_REUSEADDR will be used when binding the port. It always is here.',
  ),
  permitPortSharing: boolFlag(
    'permit-port-sharing',
    false,
    'If true, SO_REUSEPORT will be used when binding the port, so that several processes can share it.',
  ),
  securePort: intFlag(
    'secure-port',
    10258,
    'The port on which to serve HTTPS with authentication and authorization. 0 switches HTTPS off.',
  ),
  tlsCertFile: stringFlag(
    'tls-cert-file',
    '',
    'File with the x509 certificate for HTTPS (the CA certificates, if any, after the server certificate). ' +
      'Read again when it changes.',
  ),
  tlsCipherSuites: stringListFlag(
    'tls-cipher-suites',
    [],
    'Comma-separated list of cipher suites for the server, by their IANA names. Empty for the defaults.',
  ),
  tlsCurves: int32ListFlag(
    'tls-curve-preferences',
    [],
    'Comma-separated list of numeric curve IDs, for example 23 (P-256) and 29 (X25519). Empty for the defaults.',
  ),
  tlsMinVersion: stringFlag(
    'tls-min-version',
    '',
    'Minimum TLS version supported. Possible values: VersionTLS10, VersionTLS11, VersionTLS12, VersionTLS13.',
  ),
  tlsKeyFile: stringFlag('tls-private-key-file', '', 'File with the x509 private key that matches --tls-cert-file.'),
  tlsSniCertKey: namedCertificates(
    'tls-sni-cert-key',
    'A pair of x509 certificate and private key file paths, optionally with the domain names they are for: ' +
      '"example.crt,example.key" or "foo.crt,foo.key:*.foo.com,foo.com". May be repeated.',
  ),
};

export const authenticationFlags = {
  authenticationKubeconfig: stringFlag(
    'authentication-kubeconfig',
    '',
    'kubeconfig of the API server that is asked to review tokens. Optional: empty for the cluster the pod is in; ' +
      'with neither, all requests are anonymous.',
  ),
  skipLookup: boolFlag(
    'authentication-skip-lookup',
    false,
    'If true, the missing authentication configuration is not looked up in the cluster.',
  ),
  tokenCacheTtl: durationFlag(
    'authentication-token-webhook-cache-ttl',
    10_000,
    'The duration to remember answers of the token reviewer.',
  ),
  tolerateLookupFailure: boolFlag(
    'authentication-tolerate-lookup-failure',
    false,
    'If true, a failure to look up the authentication configuration in the cluster is not fatal. Client certificates ' +
      'and front proxies are then not known.',
  ),
  clientCaFile: stringFlag(
    'client-ca-file',
    '',
    'If set, a request with a client certificate signed by one of these authorities counts as the user named by the ' +
      'certificate’s CommonName.',
  ),
  requestHeaderAllowedNames: stringListFlag(
    'requestheader-allowed-names',
    [],
    'Common names of front-proxy client certificates that may name users. Empty for any that is valid.',
  ),
  requestHeaderClientCaFile: stringFlag(
    'requestheader-client-ca-file',
    '',
    'Authorities of front-proxy client certificates, verified before user names in headers are trusted.',
  ),
  requestHeaderExtraPrefixes: stringListFlag(
    'requestheader-extra-headers-prefix',
    ['x-remote-extra-'],
    'Prefixes of request headers with extra user information.',
  ),
  requestHeaderGroupHeaders: stringListFlag(
    'requestheader-group-headers',
    ['x-remote-group'],
    'Request headers to read groups from.',
  ),
  requestHeaderUidHeaders: stringListFlag(
    'requestheader-uid-headers',
    [],
    'Request headers to read user IDs from. X-Remote-Uid is suggested.',
  ),
  requestHeaderUsernameHeaders: stringListFlag(
    'requestheader-username-headers',
    ['x-remote-user'],
    'Request headers to read user names from.',
  ),
};

export const authorizationFlags = {
  alwaysAllowPaths: stringListFlag(
    'authorization-always-allow-paths',
    ['/healthz', '/readyz', '/livez'],
    'A list of HTTP paths that need no authorization. A trailing * allows all paths with that prefix.',
  ),
  authorizationKubeconfig: stringFlag(
    'authorization-kubeconfig',
    '',
    'kubeconfig of the API server that is asked to review access. Optional: empty for the cluster the pod is in; ' +
      'with neither, everything that is not always allowed is forbidden.',
  ),
  authorizedTtl: durationFlag(
    'authorization-webhook-cache-authorized-ttl',
    10_000,
    'The duration to remember that access was granted.',
  ),
  unauthorizedTtl: durationFlag(
    'authorization-webhook-cache-unauthorized-ttl',
    10_000,
    'The duration to remember that access was refused.',
  ),
};
