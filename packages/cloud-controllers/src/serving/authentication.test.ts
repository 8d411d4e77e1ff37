import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { describe, test } from 'node:test';

import { FakeClock, Scope, silentLogger, type Secret } from '@cloudstack-ccm/base';
import { CertificateAuthority } from '@cloudstack-ccm/control-plane';
import type { TokenReviewStatus } from '@cloudstack-ccm/kubernetes';

import type { CertificateTrust } from './authentication-config.ts';
import { Authenticator, REFUSED, type Credentials } from './authentication.ts';
import { ClientAuthorities, subjectParts } from './client-authorities.ts';
import { ANONYMOUS, type Identity } from './identity.ts';
import { TokenReviewer } from './token-reviewer.ts';

const clients = new CertificateAuthority('clients');
const proxies = new CertificateAuthority('proxies');
const strangers = new CertificateAuthority('strangers');
/** Of the name of a known authority, with another key. */
const impostor = new CertificateAuthority('clients');

const TRUST: CertificateTrust = {
  clients: new ClientAuthorities(clients.certificate),
  proxies: new ClientAuthorities(proxies.certificate),
  proxyNames: ['front'],
  userHeaders: ['x-remote-user'],
  uidHeaders: ['x-remote-uid'],
  groupHeaders: ['x-remote-group'],
  extraPrefixes: ['x-remote-extra-'],
};

const NOBODY = { clients: new ClientAuthorities(''), proxies: new ClientAuthorities('') };

const HEADERS = {
  'x-remote-user': ['jane'],
  'x-remote-uid': ['42'],
  'x-remote-group': ['dev', 'ops'],
  'x-remote-extra-scopes%2fa': ['read', 'write'],
};

const by = (authority: CertificateAuthority, user: string, groups: string[] = []): X509Certificate =>
  new X509Certificate(authority.client(user, groups).certificate);

function identify(
  credentials: Partial<Credentials>,
  { trust = TRUST, tokens }: { trust?: CertificateTrust; tokens?: TokenReviewer } = {},
): Promise<Identity | typeof REFUSED> {
  const authenticator = new Authenticator({ config: { trust }, tokens, log: silentLogger });
  return authenticator.identify(Scope.root(), {
    headers: {},
    certificate: undefined,
    certificateIsGood: credentials.certificate !== undefined,
    ...credentials,
  });
}

describe('Somebody', () => {
  test('without credentials is anonymous', async () => {
    assert.deepEqual(await identify({}), ANONYMOUS);
    assert.deepEqual(await identify({ headers: HEADERS }), ANONYMOUS);
  });

  test('with a client certificate is who it names', async () => {
    assert.deepEqual(await identify({ certificate: by(clients, 'jane', ['dev', 'ops']) }), {
      user: 'jane',
      uid: '',
      groups: ['dev', 'ops', 'system:authenticated'],
      extra: {},
    });
  });

  test('with a certificate of an authority that is not known is refused', async () => {
    assert.equal(await identify({ certificate: by(strangers, 'jane') }), REFUSED);
    assert.equal(await identify({ certificate: by(impostor, 'jane') }), REFUSED);
  });

  test('with a certificate that OpenSSL found bad is refused, though the authority is known', async () => {
    assert.equal(await identify({ certificate: by(clients, 'jane'), certificateIsGood: false }), REFUSED);
  });

  test('with a certificate is anonymous where nobody looks at certificates', async () => {
    assert.deepEqual(
      await identify({ certificate: by(strangers, 'jane') }, { trust: { ...TRUST, ...NOBODY } }),
      ANONYMOUS,
    );
  });

  test('behind a front proxy is who the headers name', async () => {
    assert.deepEqual(await identify({ certificate: by(proxies, 'front'), headers: HEADERS }), {
      user: 'jane',
      uid: '42',
      groups: ['dev', 'ops', 'system:authenticated'],
      extra: { 'scopes/a': ['read', 'write'] },
    });
  });

  test('behind a proxy of another name, or with a client’s certificate, gets nothing from headers', async () => {
    const other = await identify({ certificate: by(proxies, 'other'), headers: HEADERS });
    assert.deepEqual(other, ANONYMOUS);
    const client = await identify({ certificate: by(clients, 'joe'), headers: HEADERS });
    assert.equal(client === REFUSED ? '' : client.user, 'joe');
  });

  test('behind any proxy counts when no name is asked for', async () => {
    const trust = { ...TRUST, proxyNames: [] };
    const identity = await identify({ certificate: by(proxies, 'other'), headers: HEADERS }, { trust });
    assert.equal(identity === REFUSED ? '' : identity.user, 'jane');
  });
});

describe('A bearer token', () => {
  const user = { username: 'jane', uid: '1', groups: ['dev'], extra: { a: ['b'] } };
  const status = (authenticated: boolean): TokenReviewStatus => ({ authenticated, error: '', user, audiences: [] });
  const bearer = (token: string) => ({ headers: { authorization: [`Bearer ${token}`] } });

  function reviewer(answer: (token: string) => TokenReviewStatus) {
    const asked: string[] = [];
    const clock = new FakeClock();
    const reviewToken = async (_scope: Scope, token: Secret): Promise<TokenReviewStatus> => {
      asked.push(token.reveal());
      return answer(token.reveal());
    };
    return { tokens: new TokenReviewer({ reviewToken }, 10_000, clock), asked, clock };
  }

  test('is who the API server says, who is asked once in a while', async () => {
    const { tokens, asked, clock } = reviewer(() => status(true));
    const expected = { user: 'jane', uid: '1', groups: ['dev', 'system:authenticated'], extra: { a: ['b'] } };
    assert.deepEqual(await identify(bearer('t'), { tokens }), expected);
    assert.deepEqual(await identify({ headers: { authorization: ['bearer  t'] } }, { tokens }), expected);
    assert.deepEqual(asked, ['t']);
    await clock.advance(10_000);
    await identify(bearer('t'), { tokens });
    assert.equal(asked.length, 2);
  });

  test('that is nobody’s is refused, and so is one that cannot be reviewed, for as long', async () => {
    const { tokens, asked } = reviewer((token) => {
      if (token === 'broken') throw new Error('HTTP 503');
      return status(false);
    });
    for (const token of ['bad', 'bad', 'broken', 'broken']) {
      assert.equal(await identify(bearer(token), { tokens }), REFUSED);
    }
    assert.deepEqual(asked, ['bad', 'broken']);
  });

  test('saves somebody whose certificate is bad', async () => {
    const { tokens } = reviewer(() => status(true));
    const identity = await identify({ ...bearer('t'), certificate: by(strangers, 'x') }, { tokens });
    assert.equal(identity === REFUSED ? '' : identity.user, 'jane');
  });

  test('is not looked at when nobody can be asked, nor is another scheme', async () => {
    assert.deepEqual(await identify(bearer('t')), ANONYMOUS);
    const { tokens, asked } = reviewer(() => status(true));
    assert.deepEqual(await identify({ headers: { authorization: ['Basic dDp0'] } }, { tokens }), ANONYMOUS);
    assert.deepEqual(asked, []);
  });
});

test('A subject is read with what is escaped in it', () => {
  const certificate = by(clients, 'system:node:a, b+c', ['system:nodes']);
  assert.deepEqual(subjectParts(certificate, 'CN'), ['system:node:a, b+c']);
  assert.deepEqual(subjectParts(certificate, 'O'), ['system:nodes']);
});
