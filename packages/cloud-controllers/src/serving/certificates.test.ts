import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';

import { certificateFor, CertificateStore } from './certificates.ts';
import { selfSignedCertificate } from './self-signed-certificate.ts';

const NOW = Date.UTC(2026, 5, 1);

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'certificates-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const store = (flags: Partial<ConstructorParameters<typeof CertificateStore>[0]>): CertificateStore => {
  const none = { bindAddress: '0.0.0.0', certDir: '', tlsCertFile: '', tlsKeyFile: '', tlsSniCertKey: [] };
  return new CertificateStore({ ...none, ...flags }, NOW);
};

function writePair(name: string, names: readonly string[] = []): { certFile: string; keyFile: string } {
  const pair = selfSignedCertificate(NOW, names);
  const [certFile, keyFile] = [join(folder, `${name}.crt`), join(folder, `${name}.key`)];
  writeFileSync(certFile, pair.certificate);
  writeFileSync(keyFile, pair.key);
  return { certFile, keyFile };
}

describe('The certificate of the endpoint', () => {
  test('is made once, in memory, when none is given', async () => {
    const own = store({});
    const { main } = await own.load();
    assert.deepEqual((await own.load()).main, main);
  });

  test('is read from its files at each load', async () => {
    const { certFile, keyFile } = writePair('a');
    const own = store({ tlsCertFile: certFile, tlsKeyFile: keyFile, certDir: folder });
    assert.equal((await own.load()).main.certificate, readFileSync(certFile, 'utf8'));
    writePair('a');
    assert.equal((await own.load()).main.certificate, readFileSync(certFile, 'utf8'));
  });

  test('names the file that cannot be read', async () => {
    const own = store({ tlsCertFile: join(folder, 'none.crt'), tlsKeyFile: join(folder, 'none.key') });
    await assert.rejects(own.load(), /^ServingError: unable to load server certificate: ENOENT.*none\.crt/);
  });

  test('is written to the folder given, if none is there, with a key that only we may read', async () => {
    const certDir = join(folder, 'new');
    const { main } = await store({ certDir }).load();
    const [certFile, keyFile] = ['crt', 'key'].map((type) => join(certDir, `cloud-controller-manager.${type}`));
    assert.equal(readFileSync(certFile ?? '', 'utf8'), main.certificate);
    assert.equal(statSync(keyFile ?? '').mode & 0o777, 0o600);
    assert.deepEqual((await store({ certDir }).load()).main, main);
  });
});

describe('Certificates for server names', () => {
  test('serve the names given, else those they are made for; the first of two counts', async () => {
    const own = store({
      tlsSniCertKey: [
        { ...writePair('one'), names: ['*.A.example', 'b.example'] },
        { ...writePair('two', ['c.example', 'b.example']), names: [] },
      ],
    });
    const all = await own.load();
    const [one, two] = ['one', 'two'].map((name) => readFileSync(join(folder, `${name}.crt`), 'utf8'));
    assert.equal(certificateFor(all, 'x.a.example')?.certificate, one);
    assert.equal(certificateFor(all, 'B.example')?.certificate, one);
    assert.equal(certificateFor(all, 'c.example')?.certificate, two);
    assert.equal(certificateFor(all, 'y.x.a.example'), undefined);
    assert.equal(certificateFor(all, 'other.example'), undefined);
  });

  test('must be certificates', async () => {
    const { certFile, keyFile } = writePair('one');
    writeFileSync(certFile, 'nonsense');
    await assert.rejects(
      store({ tlsSniCertKey: [{ certFile, keyFile, names: [] }] }).load(),
      /unable to read the names in .*one\.crt/,
    );
  });
});
