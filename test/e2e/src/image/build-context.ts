import { cpSync, mkdirSync, readdirSync, readFileSync, realpathSync, symlinkSync } from 'node:fs';
import { join, matchesGlob, relative } from 'node:path';

/** What `.dockerignore` leaves of the repository for a build. */
export class BuildContext {
  readonly #root: string;
  readonly #patterns: readonly string[];

  constructor(root: string) {
    this.#root = root;
    this.#patterns = readFileSync(join(root, '.dockerignore'), 'utf8')
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '' && !line.startsWith('#'));
  }

  /** True if the path, or a folder above it, is left out. */
  ignores(path: string): boolean {
    const parts = path.split('/');
    const paths = parts.map((_, index) => parts.slice(0, index + 1).join('/'));
    return paths.some((candidate) => this.#patterns.some((pattern) => matchesGlob(candidate, pattern)));
  }

  /** Copies the context, as the first line of a build does. */
  copyTo(folder: string): void {
    cpSync(this.#root, folder, {
      recursive: true,
      filter: (source) => {
        const path = relative(this.#root, source);
        return path === '' || !this.ignores(path);
      },
    });
  }

  /** Gives the copy the packages that `npm ci` would install, and its own rooms as workspaces. */
  installInto(folder: string): void {
    const scope = '@cloudstack-ccm';
    const from = join(this.#root, 'node_modules');
    mkdirSync(join(folder, 'node_modules', scope), { recursive: true });
    for (const name of readdirSync(from)) {
      if (name !== scope) symlinkSync(join(from, name), join(folder, 'node_modules', name));
    }
    for (const name of readdirSync(join(from, scope))) {
      const room = relative(this.#root, realpathSync(join(from, scope, name)));
      symlinkSync(join(folder, room), join(folder, 'node_modules', scope, name));
    }
  }
}
