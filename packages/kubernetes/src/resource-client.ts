import { InvalidInputError, type Scope } from '@cloudstack-ccm/base';
import { parseJson, Reader } from './decode.ts';
import type { ListOptions, ListPage, ListPageOptions, ListWatch, ObjectList, WatchOptions } from './list-watch.ts';
import type { Kind } from './objects/kind.ts';
import type { KubernetesObject, ObjectName } from './objects/metadata.ts';
import { Pacer } from './pacer.ts';
import { listAll } from './paged-list.ts';
import { contentTypeOf, type Patch } from './patch.ts';
import type { ApiCaller } from './transport/api-caller.ts';
import type { ApiRequest } from './transport/api-request.ts';
import { LineSplitter } from './transport/lines.ts';
import { ListItemSplitter } from './transport/list-items.ts';
import { FieldSkipper } from './transport/skip-fields.ts';
import { decodeWatchEvent, type WatchEvent } from './watch-event.ts';

export interface PatchOptions {
  readonly subresource?: 'status';
  /** Who owns the fields, for `metadata.managedFields`. Default: derived from the user agent by the server. */
  readonly fieldManager?: string;
}

export interface DeleteOptions {
  /** Delete only if the object still has this uid, so that a re-created one survives. */
  readonly uid?: string;
  /** Delete only if the object is still at this version. */
  readonly resourceVersion?: string;
}

/** The page size client-go uses. */
const PAGE_LIMIT = 500;

/** etcd refuses objects above 1.5 MiB; JSON escapes may lengthen them. */
const MAX_OBJECT_BYTES = 8 * 1024 * 1024;

/**
 * Reads and changes the objects of one kind. Every method throws StatusError when the API server refuses,
 * ConnectionError when it cannot be reached, DecodeError when its answer makes no sense, DeadlineExceededError, and
 * the scope's reason when that ends first.
 */
export class ResourceClient<T extends KubernetesObject> implements ListWatch<T> {
  readonly kind: Kind<T>;
  readonly #caller: ApiCaller;
  readonly #skipper: FieldSkipper;

  constructor(caller: ApiCaller, kind: Kind<T>) {
    this.#caller = caller;
    this.kind = kind;
    this.#skipper = new FieldSkipper(['managedFields', ...(kind.unread ?? [])]);
  }

  /** @param resourceVersion `0` allows an answer from the API server's cache. */
  async get(scope: Scope, name: ObjectName, resourceVersion?: string): Promise<T> {
    return await this.#one(scope, { method: 'GET', path: this.#path(name), query: { resourceVersion } });
  }

  /** All objects of the selection. The server is asked in pages; when one has expired, for all at once. */
  list(scope: Scope, options: ListOptions = {}): Promise<ObjectList<T>> {
    return listAll((page) => this.listPage(scope, page), { ...options, limit: PAGE_LIMIT });
  }

  /** One page. Each item is decoded as it arrives, so the page's JSON is never in memory as a whole. */
  listPage(scope: Scope, { namespace, limit, continueToken, ...query }: ListPageOptions): Promise<ListPage<T>> {
    const request: ApiRequest = {
      method: 'GET',
      path: this.#collection(namespace),
      query: { ...query, limit: limit || undefined, continue: continueToken },
    };
    return this.#caller.read(scope, request, (chunks) => this.#readPage(chunks));
  }

  /** Events until the server ends the watch or the scope ends. @throws the StatusError of an `ERROR` event. */
  async *watch(
    scope: Scope,
    { namespace, sendInitialEvents, ...query }: WatchOptions,
  ): AsyncGenerator<WatchEvent<T>, void, void> {
    const request: ApiRequest = {
      method: 'GET',
      path: this.#collection(namespace),
      query: {
        ...query,
        watch: true,
        allowWatchBookmarks: true,
        ...(sendInitialEvents && { sendInitialEvents, resourceVersionMatch: 'NotOlderThan' }),
      },
    };
    const lines = new LineSplitter(`an event of the watch on ${this.kind.plural}`, MAX_OBJECT_BYTES);
    const pacer = new Pacer();
    for await (const chunk of this.#caller.stream(scope, request)) {
      for (const line of lines.push(chunk)) {
        yield decodeWatchEvent(this.#skipper.parse(line, 'a watch event'), this.kind.decode);
        await pacer.pause();
      }
    }
  }

  /** @param namespace empty for cluster-scoped kinds. */
  async create(scope: Scope, namespace: string, body: object): Promise<T> {
    const { apiVersion, kind } = this.kind;
    return await this.#one(scope, {
      method: 'POST',
      path: this.#collection(namespace),
      body: { apiVersion, kind, ...body },
    });
  }

  /** Replaces the object. `body` must hold every field that is to stay: prefer a patch. */
  async update(scope: Scope, name: ObjectName, body: object): Promise<T> {
    return await this.#one(scope, { method: 'PUT', path: this.#path(name), body });
  }

  async patch(scope: Scope, name: ObjectName, patch: Patch, options: PatchOptions = {}): Promise<T> {
    const { subresource, fieldManager } = options;
    return await this.#one(scope, {
      method: 'PATCH',
      path: this.#path(name) + (subresource ? `/${subresource}` : ''),
      query: { fieldManager },
      body: patch.body,
      contentType: contentTypeOf(patch),
      repeatable: patch.type !== 'json',
    });
  }

  patchStatus(scope: Scope, name: ObjectName, patch: Patch): Promise<T> {
    return this.patch(scope, name, patch, { subresource: 'status' });
  }

  async delete(scope: Scope, name: ObjectName, preconditions: DeleteOptions = {}): Promise<void> {
    await this.#caller.json(scope, {
      method: 'DELETE',
      path: this.#path(name),
      body: { apiVersion: 'v1', kind: 'DeleteOptions', preconditions },
    });
  }

  async #one(scope: Scope, request: ApiRequest): Promise<T> {
    return this.kind.decode(await this.#caller.json(scope, request));
  }

  async #readPage(chunks: AsyncIterable<Buffer>): Promise<ListPage<T>> {
    const what = `the list of ${this.kind.plural}`;
    const splitter = new ListItemSplitter(what, MAX_OBJECT_BYTES);
    const pacer = new Pacer();
    const items: T[] = [];
    for await (const chunk of chunks) {
      for (const item of splitter.push(chunk)) {
        items.push(this.kind.decode(this.#skipper.parse(item, `an item of ${what}`)));
        await pacer.pause();
      }
    }
    const metadata = Reader.of(parseJson(splitter.envelope(), what), what).object('metadata');
    return {
      items,
      resourceVersion: metadata.string('resourceVersion'),
      continueToken: metadata.string('continue'),
    };
  }

  #collection(namespace = ''): string {
    const { apiVersion, plural } = this.kind;
    const root = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
    return namespace === '' ? `${root}/${plural}` : `${root}/namespaces/${encodeURIComponent(namespace)}/${plural}`;
  }

  #path({ namespace, name }: ObjectName): string {
    // Without a name the path is the collection's, and DELETE would take all of it.
    if (name === '') throw new InvalidInputError(`a ${this.kind.kind} without a name was asked for`);
    return `${this.#collection(namespace)}/${encodeURIComponent(name)}`;
  }
}
