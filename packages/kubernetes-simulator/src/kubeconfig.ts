/** What a kubeconfig needs to name. */
export interface KubeconfigSource {
  readonly server: string;
  readonly user: string;
  /** PEM of what the client trusts; for HTTPS. */
  readonly authority: string | undefined;
  readonly token: string | undefined;
  /** A client certificate with its key, as PEM. */
  readonly clientCertificate?: { readonly certificate: string; readonly key: string };
}

/** A kubeconfig as YAML text, for kubectl, client libraries and the controller. */
export function writeKubeconfig({ server, user, authority, token, clientCertificate }: KubeconfigSource): string {
  const lines = [
    'apiVersion: v1',
    'kind: Config',
    'clusters:',
    '  - name: simulator',
    '    cluster:',
    `      server: ${server}`,
    ...(authority === undefined ? [] : [`      certificate-authority-data: ${base64(authority)}`]),
    'users:',
    `  - name: ${JSON.stringify(user)}`,
    `    user:${token === undefined && clientCertificate === undefined ? ' {}' : ''}`,
    ...(token === undefined ? [] : [`      token: ${JSON.stringify(token)}`]),
    ...(clientCertificate === undefined
      ? []
      : [
          `      client-certificate-data: ${base64(clientCertificate.certificate)}`,
          `      client-key-data: ${base64(clientCertificate.key)}`,
        ]),
    'contexts:',
    '  - name: simulator',
    '    context:',
    '      cluster: simulator',
    `      user: ${JSON.stringify(user)}`,
    'current-context: simulator',
  ];
  return `${lines.join('\n')}\n`;
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}
