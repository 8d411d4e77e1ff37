import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** One request as kube-apiserver saw it. */
export interface AuditedRequest {
  readonly user: string;
  readonly verb: string;
  /** `group/resource/subresource`, without what does not apply: `services/status`, `coordination.k8s.io/leases`. */
  readonly resource: string;
  readonly path: string;
  readonly status: number;
}

interface AuditLine {
  readonly stage: string;
  readonly verb: string;
  readonly requestURI: string;
  readonly user: { readonly username: string };
  readonly objectRef?: { readonly resource: string; readonly apiGroup?: string; readonly subresource?: string };
  readonly responseStatus?: { readonly code: number };
}

/** kube-apiserver's audit log: who asked for what, and with what success. */
export class Audit implements Disposable {
  readonly #folder = mkdtempSync(join(tmpdir(), 'audit-'));
  readonly #log = join(this.#folder, 'log');

  /** What switches it on. */
  get flags(): readonly string[] {
    const policy = join(this.#folder, 'policy.json');
    // A watch that is still open has no other stage than its start.
    const rules = [{ level: 'Metadata' }];
    writeFileSync(policy, JSON.stringify({ apiVersion: 'audit.k8s.io/v1', kind: 'Policy', rules }));
    return [`--audit-policy-file=${policy}`, `--audit-log-path=${this.#log}`];
  }

  /** What that user asked for, once for each request. */
  requests(user: string): readonly AuditedRequest[] {
    return readFileSync(this.#log, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as AuditLine)
      .filter(({ stage }) => stage !== 'RequestReceived')
      .map(audited)
      .filter((request) => request.user === user);
  }

  [Symbol.dispose](): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

function audited({ verb, requestURI, user, objectRef, responseStatus }: AuditLine): AuditedRequest {
  const { apiGroup, resource, subresource } = objectRef ?? { resource: '' };
  return {
    user: user.username,
    verb,
    resource: [apiGroup, resource, subresource].filter((part) => part !== undefined).join('/'),
    path: requestURI,
    status: responseStatus?.code ?? 0,
  };
}
