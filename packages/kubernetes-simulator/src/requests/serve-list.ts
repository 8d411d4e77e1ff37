import type { Answer } from '../http/answer.ts';
import { Pacer } from '../http/pacer.ts';
import type { JsonObject } from '../json.ts';
import type { Resource } from '../kinds/resource.ts';
import type { Registry } from '../registry/registry.ts';
import { without } from '../json.ts';
import { render } from '../registry/registry.ts';
import type { StoredObject } from '../store/stored-object.ts';
import { partialMetadata, tableHeader } from '../table/table.ts';
import { type ListPage, readPage } from './list-page.ts';
import type { ListOptions } from './list-options.ts';
import type { Representation } from './negotiation.ts';
import { row } from './representation.ts';

/** Bytes that are sent at once: fewer would cost a system call each, more would hold up other requests. */
const CHUNK_BYTES = 256 * 1024;
/** Longer lists are not indented, not even for people. */
const PRETTY_BYTES = 1024 * 1024;

/** Answers a list, in pieces and with pauses, however long it is. */
export async function serveList(
  registry: Registry,
  resource: Resource,
  options: ListOptions,
  { answer, representation }: { readonly answer: Answer; readonly representation: Representation },
): Promise<void> {
  const page = readPage(registry.store, resource, options);
  const frame = listFrame(resource, page, representation);
  const encode = itemEncoder(resource, representation, registry.clock.now());
  const isShort = page.items.reduce((sum, { bytes }) => sum + bytes.length, 0) < PRETTY_BYTES;
  if (answer.pretty && isShort) return prettyList(answer, page, frame, encode);
  answer.open(200, 'application/json');
  await writeItems(answer, page, frame, encode);
}

type Encode = (stored: StoredObject) => Buffer;

async function writeItems(answer: Answer, { items }: ListPage, frame: Frame, encode: Encode): Promise<void> {
  const pacer = new Pacer();
  let chunks: (Buffer | string)[] = [frame.head];
  let size = 0;
  for (const [index, item] of items.entries()) {
    const bytes = encode(item);
    chunks.push(index === 0 ? '' : ',', bytes);
    size += bytes.length;
    if (size >= CHUNK_BYTES) {
      await answer.outlet.write(...chunks);
      [chunks, size] = [[], 0];
      if (answer.outlet.closed) return;
    }
    await pacer.pause();
  }
  await answer.outlet.write(...chunks);
  answer.outlet.end(frame.tail);
}

function prettyList(answer: Answer, { items }: ListPage, { head, tail }: Frame, encode: Encode): void {
  const text = `${head}${items.map((item) => encode(item).toString()).join(',')}${tail}`;
  answer.json(200, JSON.parse(text) as JsonObject);
}

/** What stands around the items. */
interface Frame {
  readonly head: string;
  readonly tail: string;
}

function listFrame(resource: Resource, { metadata }: ListPage, representation: Representation): Frame {
  const open = (list: JsonObject, key: string): Frame => ({
    head: `${JSON.stringify(list).slice(0, -1)},"${key}":[`,
    tail: ']}\n',
  });
  switch (representation.form) {
    case 'object':
      return open({ kind: `${resource.kind}List`, apiVersion: resource.groupVersion, metadata }, 'items');
    case 'metadata':
      return open({ kind: 'PartialObjectMetadataList', apiVersion: 'meta.k8s.io/v1', metadata }, 'items');
    case 'table':
      return open({ ...tableHeader('', resource.table), metadata }, 'rows');
  }
}

/** Items of a list do not repeat kind and apiVersion. */
function itemEncoder(resource: Resource, representation: Representation, now: number): Encode {
  const json = (object: JsonObject): Buffer => Buffer.from(JSON.stringify(object));
  switch (representation.form) {
    case 'object':
      if (!resource.conversion) return ({ bytes }) => bytes;
      return (stored) => json(without(render(resource, stored), 'kind', 'apiVersion'));
    case 'metadata':
      return (stored) => json(partialMetadata(render(resource, stored)));
    case 'table':
      return (stored) => json(row(resource, stored, representation.include, now));
  }
}
