import { execFile } from 'node:child_process';
import { findKubectl } from './find.ts';

export interface KubectlOptions {
  /** Path of a kubeconfig file. */
  readonly kubeconfig: string;
  /** Default: what `findKubectl` finds. */
  readonly program?: string | undefined;
  /** For `-f -`. */
  readonly input?: string;
}

/**
 * Runs kubectl and returns what it prints.
 * @throws when there is no kubectl, or with what it says when it fails.
 */
export function kubectl(args: readonly string[], options: KubectlOptions): Promise<string> {
  const program = options.program ?? findKubectl();
  if (program === undefined) throw new Error('There is no kubectl beside kube-apiserver nor in PATH');
  return new Promise((resolve, reject) => {
    const child = execFile(program, ['--kubeconfig', options.kubeconfig, ...args], (error, out, err) =>
      error ? reject(new Error(`kubectl ${args.join(' ')}: ${err}`)) : resolve(out),
    );
    child.stdin?.end(options.input ?? '');
  });
}
