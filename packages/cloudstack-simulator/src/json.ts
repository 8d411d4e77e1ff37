/** What an answer is made of. Fields that are undefined do not appear in it. */
export type Json = string | number | boolean | null | undefined | readonly Json[] | JsonObject;

export interface JsonObject {
  readonly [key: string]: Json;
}
