/** Something that the user wrote and that cannot be served as written. */
export interface Problem {
  /** Where it is written, for example `spec.sessionAffinity` or the full name of an annotation. */
  readonly field: string;
  /** One sentence that names the field and the offending value, and says what would be right. */
  readonly message: string;
}

/** A value that was read, or what is wrong with it. */
export type Reading<T> = { readonly value: T } | { readonly problem: string };

export function good<T>(value: T): Reading<T> {
  return { value };
}

export function bad(problem: string): { readonly problem: string } {
  return { problem };
}
