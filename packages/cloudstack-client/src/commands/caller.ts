import type { Scope } from '@cloudstack-ccm/base';
import type { Dispatch } from '../call.ts';
import { asRecord, Fields } from '../decode.ts';
import type { Job } from '../jobs/job.ts';
import type { JobWaiter } from '../jobs/job-waiter.ts';
import type { ListReader } from '../list.ts';
import type { Params } from '../params.ts';
import type { JobCommand, ListCommand } from './command.ts';

/** The project that everything is looked up and created in; undefined for the account itself. */
export type ProjectSource = (scope: Scope) => Promise<string | undefined>;

/** Turns the descriptions of commands into functions. */
export class Caller {
  readonly #dispatch: Dispatch;
  readonly #lists: ListReader;
  readonly #jobs: JobWaiter;
  readonly #project: ProjectSource;

  constructor(dispatch: Dispatch, lists: ListReader, jobs: JobWaiter, project: ProjectSource) {
    this.#dispatch = dispatch;
    this.#lists = lists;
    this.#jobs = jobs;
    this.#project = project;
  }

  /** A function that reads all pages of a list. */
  list<P extends Params, T>(command: ListCommand<P, T>): (scope: Scope, params: P) => Promise<readonly T[]> {
    return async (scope, params) =>
      this.#lists.read(scope, command, command.takesProject ? await this.#inProject(scope, params) : params);
  }

  /** A function that reads the beginning of a list, at most so many items. */
  some<P extends Params, T>(
    command: ListCommand<P, T>,
  ): (scope: Scope, params: P, most: number) => Promise<readonly T[]> {
    return async (scope, params, most) =>
      this.#lists.readSome(scope, command, command.takesProject ? await this.#inProject(scope, params) : params, most);
  }

  /** A function that sends a command with an async job and resolves as soon as CloudStack has accepted it. */
  job<P extends Params, T>(command: JobCommand<P, T>): (scope: Scope, params: P) => Promise<Job<T>> {
    return async (scope, params) => {
      const call = {
        command: command.command,
        params: command.takesProject ? await this.#inProject(scope, params) : params,
        writes: true,
      };
      const content = asRecord(await this.#dispatch(scope, call), command.command);
      const fields = new Fields(content, command.command);
      return this.#jobs.handle(command, fields.text('jobid'), fields.optionalText('id'));
    };
  }

  async #inProject(scope: Scope, params: Params): Promise<Params> {
    const projectId = await this.#project(scope);
    return projectId === undefined ? params : { ...params, projectId };
  }
}
