import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, relative } from 'node:path';

/** The pinned Go module that builds etcd, kube-apiserver and kubectl as one program. */
export const moduleFolder = join(import.meta.dirname, '..', 'go');

/** Names by which the one program is called; it acts by them. */
export const programNames = ['etcd', 'kube-apiserver', 'kubectl'] as const;

/** The oldest Go that builds the module: its own `go` line. */
export function requiredGoVersion(): string {
  const line = /^go (\S+)$/m.exec(readFileSync(join(moduleFolder, 'go.mod'), 'utf8'));
  return line?.[1] ?? 'unknown';
}

/** The version of Kubernetes that is built, for example `v1.36.3`. */
export function kubernetesVersion(): string {
  const line = /^\s*k8s\.io\/kubernetes (v\S+)$/m.exec(readFileSync(join(moduleFolder, 'go.mod'), 'utf8'));
  return line?.[1] ?? 'v0.0.0';
}

/** `${XDG_CACHE_HOME:-~/.cache}/cloudstack-ccm/control-plane`. */
function cacheRoot(environment: NodeJS.ProcessEnv = process.env): string {
  const root = environment['XDG_CACHE_HOME'];
  return join(root ? root : join(homedir(), '.cache'), 'cloudstack-ccm', 'control-plane');
}

/** The folder of the build that belongs to the module as it is now. */
export function cacheFolder(environment: NodeJS.ProcessEnv = process.env): string {
  return join(cacheRoot(environment), cacheKey(moduleFolder));
}

/**
 * A name for what `go build` would make of the module. Go's own version is left out on purpose: what the programs do
 * is pinned by the modules, the look-up needs no Go, and an upgrade of Go costs nobody a build of five minutes.
 */
export function cacheKey(folder: string): string {
  const hash = createHash('sha256').update(`${process.platform}/${process.arch}\n`);
  for (const file of sourceFiles(folder)) {
    hash
      .update(`${relative(folder, file)}\n`)
      .update(readFileSync(file))
      .update('\n');
  }
  return hash.digest('hex').slice(0, 16);
}

function sourceFiles(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && /\.go$|^go\.(mod|sum)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}
