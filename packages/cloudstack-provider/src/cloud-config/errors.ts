import { InvalidInputError } from '@cloudstack-ccm/base';

/** The cloud-config cannot be used. `problems` has all of them, each with its place, none with a value. */
export class CloudConfigError extends InvalidInputError {
  override readonly code = 'CLOUD_CONFIG';
  readonly problems: readonly string[];

  constructor(message: string, problems: readonly string[]) {
    super(problems.length === 0 ? message : `${message}: ${problems.join('; ')}`);
    this.problems = problems;
  }
}
