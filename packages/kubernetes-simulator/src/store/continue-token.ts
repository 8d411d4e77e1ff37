import { badRequest } from '../errors.ts';

/** Where a list in pieces goes on: after `start`, as of revision `rv`. */
export interface ContinueToken {
  readonly rv: number;
  readonly start: string;
}

/** The token as the API server writes it; clients treat it as opaque. */
export function encodeContinueToken({ rv, start }: ContinueToken): string {
  return Buffer.from(JSON.stringify({ v: 'meta.k8s.io/v1', rv, start: `${start}\0` })).toString('base64url');
}

/** @throws ApiError BadRequest when this server cannot have written the token. */
export function decodeContinueToken(text: string): ContinueToken {
  const token = parse(Buffer.from(text, 'base64url').toString());
  const { rv, start } = token;
  if (typeof rv !== 'number' || typeof start !== 'string')
    throw badRequest(`invalid continue token: continue key is not valid: ${text}`);
  return { rv, start: start.replace(/\0$/, '') };
}

function parse(text: string): { readonly rv?: unknown; readonly start?: unknown } {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}
