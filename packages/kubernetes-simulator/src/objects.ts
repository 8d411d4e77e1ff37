import { notFound } from './errors.ts';
import { type JsonObject, type JsonValue, textAt } from './json.ts';
import { findKind, storedResource } from './kinds/resources.ts';
import type { Resource } from './kinds/resource.ts';
import { applyMergePatch } from './patch/merge-patch.ts';
import { createObject } from './registry/create.ts';
import { deleteObject } from './registry/delete.ts';
import { findStored, type ObjectAddress, type Registry, render } from './registry/registry.ts';
import { updateObject } from './registry/update.ts';
import { decodeCandidate, inNamespace } from './requests/decode-candidate.ts';

/** Which object: `{ resource: 'services', namespace: 'default', name: 'web' }`. */
export interface ObjectReference {
  readonly resource: string;
  readonly namespace?: string;
  readonly name: string;
}

const SEEDER = 'simulator';
const OPTIONS = { dryRun: false, fieldManager: SEEDER };

/** Direct access to the objects, for tests and scenes: validated and watched like any write, but asked by no one. */
export class Objects {
  readonly #registry: Registry;

  constructor(registry: Registry) {
    this.#registry = registry;
  }

  /**
   * Makes an object from a manifest with kind and apiVersion. The namespace is `default` if none is given.
   * @throws ApiError as the API would answer
   */
  create(manifest: JsonObject): JsonObject {
    const { resource, object, namespace } = this.#read(manifest);
    const created = createObject(this.#registry, { resource, namespace, object, tracksOwners: true }, OPTIONS);
    return this.#complete(resource, created.object);
  }

  /** Makes an object, or merges the manifest into the one that is there, status included. */
  apply(manifest: JsonObject): JsonObject {
    const { resource, object, namespace } = this.#read(manifest);
    const name = textAt(object, 'metadata', 'name');
    const reference = { resource: resource.name, namespace, name };
    const current = this.get(reference) ?? this.create(manifest);
    return this.#merge(reference, resource, current, manifest);
  }

  /** Merges a patch into an object, into its status too. @throws ApiError NotFound */
  patch(reference: ObjectReference, patch: JsonObject): JsonObject {
    const { resource } = this.#address(reference);
    const current = this.get(reference);
    if (!current) throw notFound({ group: resource.group, resource: resource.name, name: reference.name });
    return this.#merge(reference, resource, current, patch);
  }

  /** An object with kind and apiVersion, or undefined. */
  get(reference: ObjectReference): JsonObject | undefined {
    const address = this.#address(reference);
    const stored = findStored(this.#registry, address);
    return stored && render(address.resource, stored);
  }

  /** All objects of a resource, or those of one namespace. */
  list(resource: string, namespace?: string): JsonObject[] {
    const { resource: found } = this.#address({ resource, name: '' });
    const stored = this.#registry.store.collection(found.name).list();
    return stored
      .filter((object) => namespace === undefined || object.namespace === namespace)
      .map((object) => render(found, object));
  }

  /** Deletes as the API does: finalizers hold an object. @throws ApiError NotFound */
  delete(reference: ObjectReference): void {
    deleteObject(this.#registry, this.#address(reference), {
      dryRun: false,
      uid: undefined,
      resourceVersion: undefined,
    });
  }

  /** What a new cluster has. */
  seedCluster(): void {
    for (const name of ['default', 'kube-node-lease', 'kube-public', 'kube-system']) {
      this.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
    }
    this.create({
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'kubernetes', labels: { component: 'apiserver', provider: 'kubernetes' } },
      spec: {
        clusterIP: firstAddress(this.#registry.settings.serviceCidr),
        ports: [{ name: 'https', port: 443, targetPort: 6443 }],
      },
    });
    // The one role of a real cluster that a controller's manifest binds.
    this.create({
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'Role',
      metadata: { name: 'extension-apiserver-authentication-reader', namespace: 'kube-system' },
      rules: [
        {
          apiGroups: [''],
          resources: ['configmaps'],
          resourceNames: ['extension-apiserver-authentication'],
          verbs: ['get', 'list', 'watch'],
        },
      ],
    });
  }

  #merge(reference: ObjectReference, resource: Resource, current: JsonObject, patch: JsonValue): JsonObject {
    const address = this.#address(reference);
    const merged = applyMergePatch(current, patch);
    const next = decodeCandidate(merged, { resource, fieldValidation: 'Ignore', warn: () => undefined });
    let result = current;
    for (const subresource of resource.hasStatus ? ['', 'status'] : ['']) {
      const fresh = (object: JsonObject): JsonObject => ({
        ...next,
        metadata: {
          ...(next['metadata'] as JsonObject),
          resourceVersion: textAt(object, 'metadata', 'resourceVersion'),
        },
      });
      result = updateObject(
        this.#registry,
        { ...address, subresource, next: fresh, tracksOwners: true },
        OPTIONS,
      ).object;
    }
    return this.#complete(resource, result);
  }

  #read(manifest: JsonObject): {
    readonly resource: Resource;
    readonly object: JsonObject;
    readonly namespace: string;
  } {
    const resource = findKind(textAt(manifest, 'apiVersion'), textAt(manifest, 'kind'));
    if (!resource)
      throw new Error(`the simulator serves no ${textAt(manifest, 'apiVersion')} ${textAt(manifest, 'kind')}`);
    const namespace = resource.namespaced ? textAt(manifest, 'metadata', 'namespace') || 'default' : '';
    const decoded = decodeCandidate(manifest, { resource, fieldValidation: 'Strict', warn: () => undefined });
    return { resource, namespace, object: inNamespace(decoded, resource, namespace) };
  }

  #address({ resource: name, namespace, name: object }: ObjectReference): ObjectAddress {
    const resource = storedResource(name);
    if (!resource) throw new Error(`the simulator serves no ${name}`);
    return { resource, namespace: resource.namespaced ? (namespace ?? 'default') : '', name: object };
  }

  #complete({ kind, groupVersion, conversion }: Resource, object: JsonObject): JsonObject {
    return { kind, apiVersion: groupVersion, ...(conversion ? conversion.fromStored(object) : object) };
  }
}

function firstAddress(cidr: string): string {
  return (cidr.split('/')[0] ?? '').replace(/\d+$/, (last) => String(Number(last) + 1));
}
