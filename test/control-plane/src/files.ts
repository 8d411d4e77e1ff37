import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type CertificateAuthority, signingKey } from './certificates.ts';
import { tokenFile, type User } from './users.ts';

/** Writes the keys, certificates and tokens that kube-apiserver's flags name. Only this user may read them. */
export function writeFiles(folder: string, authority: CertificateAuthority, users: readonly User[]): void {
  const server = authority.server(['127.0.0.1', 'localhost', 'kubernetes.default.svc', '10.96.0.1']);
  const frontProxy = authority.client('front-proxy-client', []);
  const files = {
    'ca.crt': authority.certificate,
    'server.crt': server.certificate,
    'server.key': server.key,
    'front-proxy.crt': frontProxy.certificate,
    'front-proxy.key': frontProxy.key,
    'service-account.key': signingKey(),
    'tokens.csv': tokenFile(users),
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text, { mode: 0o600 });
}
