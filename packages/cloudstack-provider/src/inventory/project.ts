import type { Clock, Scope } from '@cloudstack-ccm/base';
import type { Commands } from '@cloudstack-ccm/cloudstack-client';
import { ProjectNotFoundError } from './errors.ts';
import { SharedRead } from './shared-read.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

interface ProjectOptions {
  readonly client: Pick<Commands, 'listProjects'>;
  readonly clock: Clock;
  /** `project-id` as the administrator wrote it: an id or a name. */
  readonly configured: () => string | undefined;
}

/** The id of the configured project. A name is looked up once; ids do not change under it. */
export class ProjectResolver {
  readonly #configured: () => string | undefined;
  readonly #lookUp: SharedRead<string>;
  #problem: string | undefined;

  constructor({ client, clock, configured }: ProjectOptions) {
    this.#configured = configured;
    this.#lookUp = new SharedRead(clock, async (scope) => {
      const name = configured() ?? '';
      const [project, ...others] = await client.listProjects(scope, { name, details: 'min', listAll: true });
      if (project && others.length === 0) {
        this.#problem = undefined;
        return project.id;
      }
      const error = new ProjectNotFoundError(name, project ? 1 + others.length : 0);
      this.#problem = error.message;
      throw error;
    });
  }

  /**
   * @returns undefined when everything is to happen in the account itself
   * @throws ProjectNotFoundError, and the client's errors
   */
  async get(scope: Scope): Promise<string | undefined> {
    const configured = this.#configured();
    if (configured === undefined || UUID.test(configured)) return configured;
    return this.#lookUp.get(scope, Infinity);
  }

  /** One sentence when the project is known to be wrong. */
  problem(): string | undefined {
    return this.#problem;
  }

  /** Another project was configured. */
  forget(): void {
    this.#lookUp.invalidate();
    this.#problem = undefined;
  }
}
