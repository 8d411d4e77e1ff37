import assert from 'node:assert/strict';
import { test } from 'node:test';

import { buildLabels, versionText, withReportedVersion } from './build-info.ts';
import { helpText } from './help.ts';

const BUILD = { version: 'v1.2.3-main+abc', commit: 'abcdef', buildDate: '2026-01-02T03:04:05Z' };

test('The version is printed in one line, or whole', () => {
  assert.equal(versionText('true', BUILD), 'Kubernetes v1.2.3-main+abc');
  assert.match(
    versionText('raw', BUILD) ?? '',
    /^version\.Info\{Major:"1", Minor:"2", GitVersion:"v1\.2\.3-main\+abc", GitCommit:"abcdef", .*BuildDate:"2026-01-02T03:04:05Z"/,
  );
  assert.equal(versionText('false', BUILD), undefined);
});

test('The reported version may get another suffix, and no other number', () => {
  assert.equal(withReportedVersion('v1.2.3-ours', BUILD).version, 'v1.2.3-ours');
  assert.equal(withReportedVersion('false', BUILD), BUILD);
  assert.throws(() => withReportedVersion('v1.2.4-ours', BUILD), {
    message: 'version "v1.2.4-ours" must match major/minor/patch of default version "v1.2.3-main+abc"',
  });
});

test('The build labels carry the numbers of the version', () => {
  assert.equal(buildLabels(BUILD)['major'], '1');
  assert.equal(buildLabels(BUILD)['minor'], '2');
});

test('Help names every group in order', () => {
  const titles = [...helpText().matchAll(/^(.+) flags:$/gm)].map(([, title]) => title);
  assert.deepEqual(titles, [
    'Debugging',
    'Leader-migration',
    'Generic',
    'Cloud-node-controller',
    'Service-lb-controller',
    'Webhook',
    'Webhook serving',
    'Secure serving',
    'Authentication',
    'Authorization',
    'Misc',
    'Global',
    'Node deletion guard',
  ]);
  assert.match(helpText(), /Usage:\n {2}cloud-controller-manager \[flags\]\n/);
  assert.doesNotMatch(helpText(), /allow-untagged-cloud|node-sync-period/);
});
