import { CodedError } from '@cloudstack-ccm/base';

/** `project-id` names a project that these credentials do not see, or more than one. */
export class ProjectNotFoundError extends CodedError {
  readonly code = 'PROJECT_NOT_FOUND';
  readonly project: string;

  constructor(project: string, found: number) {
    super(
      found === 0
        ? `project ${project} (project-id) is not visible to these credentials: check the name and the membership`
        : `${found} projects are named ${project} (project-id): give the id of the right one`,
    );
    this.project = project;
  }
}

/** The zone of this controller could not be told. */
export class ZoneNotFoundError extends CodedError {
  readonly code = 'ZONE_NOT_FOUND';
}
