import type { Fields } from '../decode.ts';

/** Whose an object is: a project's objects have no account, an account's no project. */
export interface Owner {
  readonly account: string | undefined;
  readonly domainId: string | undefined;
  readonly projectId: string | undefined;
}

export function owner(fields: Fields): Owner {
  return {
    account: fields.optionalText('account'),
    domainId: fields.optionalText('domainid'),
    projectId: fields.optionalText('projectid'),
  };
}
