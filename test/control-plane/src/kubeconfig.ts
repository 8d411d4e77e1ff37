import type { Secret } from '@cloudstack-ccm/base';
import type { KeyPair } from '@cloudstack-ccm/base';

export interface KubeconfigOptions {
  readonly url: string;
  /** PEM. */
  readonly ca: string;
  readonly userName: string;
  readonly credentials: Secret | KeyPair;
}

/** The text of a kubeconfig file with one cluster and one user. */
export function kubeconfig({ url, ca, userName, credentials }: KubeconfigOptions): string {
  return `apiVersion: v1
kind: Config
current-context: control-plane
contexts:
  - name: control-plane
    context:
      cluster: control-plane
      user: ${JSON.stringify(userName)}
clusters:
  - name: control-plane
    cluster:
      server: ${url}
      certificate-authority-data: ${base64(ca)}
users:
  - name: ${JSON.stringify(userName)}
    user:
${userLines(credentials).join('\n')}
`;
}

function userLines(credentials: Secret | KeyPair): readonly string[] {
  if ('reveal' in credentials) return [`      token: ${credentials.reveal()}`];
  return [
    `      client-certificate-data: ${base64(credentials.certificate)}`,
    `      client-key-data: ${base64(credentials.key)}`,
  ];
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}
