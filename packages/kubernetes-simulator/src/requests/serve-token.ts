import type { Authenticator } from '../access/authenticator.ts';
import { isObject, type JsonObject, numberAt, textAt } from '../json.ts';
import { getStored, type ObjectAddress, type Registry } from '../registry/registry.ts';
import { structSchema } from '../schema/schema.ts';
import { formatTime } from '../schema/timestamp.ts';
import { type Body, parseBody } from './parse-body.ts';

const HOUR_S = 3600;
const TOKEN_REQUEST = { kind: 'TokenRequest', schema: structSchema('authentication/v1.TokenRequest') };

/** POST to the `token` of a service account: a token that this server knows. It does not expire. */
export async function serveToken(
  { registry, authenticator }: { readonly registry: Registry; readonly authenticator: Authenticator },
  address: ObjectAddress,
  body: Body,
): Promise<JsonObject> {
  const value = await parseBody(body, TOKEN_REQUEST);
  const { uid } = getStored(registry, address);
  const { namespace, name } = address;
  const expirationSeconds = numberAt(value, 'spec', 'expirationSeconds') || HOUR_S;
  const now = registry.clock.now();
  return {
    kind: 'TokenRequest',
    apiVersion: 'authentication.k8s.io/v1',
    metadata: { name: textAt(value, 'metadata', 'name') || name, namespace, uid, creationTimestamp: formatTime(now) },
    spec: { ...specOf(value), expirationSeconds, boundObjectRef: null },
    status: {
      token: authenticator.issue(namespace, name, uid),
      expirationTimestamp: formatTime(now + expirationSeconds * 1000),
    },
  };
}

function specOf(value: Awaited<ReturnType<typeof parseBody>>): JsonObject {
  const spec = isObject(value) ? value['spec'] : undefined;
  const audiences = ['https://kubernetes.default.svc.cluster.local'];
  return { audiences, ...(isObject(spec) ? spec : {}) };
}
