import type { IncomingMessage } from 'node:http';
import { ApiError } from '../errors.ts';

const LIMIT = 3 * 1024 * 1024;

/** The whole body of a request. @throws ApiError RequestEntityTooLarge */
export async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    const bytes = chunk as Buffer;
    size += bytes.length;
    if (size > LIMIT) throw new ApiError(413, 'RequestEntityTooLarge', `Request entity too large: limit is ${LIMIT}`);
    chunks.push(bytes);
  }
  return Buffer.concat(chunks);
}
