/** A Node as the API server sends it. */
export function nodeJson(name: string, resourceVersion: string, more: object = {}): object {
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name, resourceVersion, uid: `uid-${name}`, labels: { zone: 'z1' } },
    spec: { providerID: `external-cloudstack://${name}` },
    status: {},
    ...more,
  };
}

/** A list of nodes as the API server sends it. */
export function nodeListJson(items: readonly object[], resourceVersion: string, continueToken = ''): object {
  return {
    kind: 'NodeList',
    apiVersion: 'v1',
    metadata: { resourceVersion, ...(continueToken !== '' && { continue: continueToken }) },
    items,
  };
}
