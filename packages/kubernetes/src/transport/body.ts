import type { IncomingMessage } from 'node:http';
import { asError, type Scope } from '@cloudstack-ccm/base';
import { ConnectionError } from '../errors.ts';
import { BytePieces } from './byte-pieces.ts';

/**
 * The bytes of an answer as they arrive. The scope's end, and leaving the loop early, drop the connection.
 * @throws ConnectionError when the answer is cut off, or the scope's reason.
 */
export async function* chunksOf(
  scope: Scope,
  response: IncomingMessage,
  request: string,
): AsyncGenerator<Buffer, void, void> {
  const off = scope.onCancel((reason) => response.destroy(reason));
  try {
    for await (const chunk of response) yield chunk as Buffer;
  } catch (thrown) {
    scope.throwIfCancelled();
    throw new ConnectionError(request, asError(thrown));
  } finally {
    off();
    if (!response.complete) response.destroy();
  }
}

/** All of a body as text. @throws DecodeError when it is longer than `maxBytes`. */
export async function readText(chunks: AsyncIterable<Buffer>, what: string, maxBytes: number): Promise<string> {
  const pieces = new BytePieces(what, maxBytes);
  for await (const chunk of chunks) pieces.add(chunk);
  return pieces.take();
}
