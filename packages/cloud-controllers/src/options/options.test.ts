import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { configz } from './configz.ts';
import { addressWorkers, readCommandLine, type Options } from './options.ts';
import { validateLogging, validateOptions } from './validate.ts';

const options = (...args: string[]): Options => readCommandLine(args).options;
const problems = (...args: string[]): string | undefined =>
  validateOptions(options('--cloud-provider=fake', ...args))?.message;

describe('Options', () => {
  test('have the defaults of the Go framework (O1)', () => {
    const { generic, secureServing, webhookServing, misc, authentication, authorization, debugging } = options();
    assert.equal(generic.minResyncPeriod, 12 * 3_600_000);
    assert.equal(generic.kubeApiQps, 200);
    assert.equal(generic.kubeApiBurst, 400);
    assert.deepEqual(
      [generic.leaderElectLeaseDuration, generic.leaderElectRenewDeadline, generic.leaderElectRetryPeriod],
      [15_000, 10_000, 2000],
    );
    assert.equal(
      `${generic.leaderElectResourceNamespace}/${generic.leaderElectResourceName}/${generic.leaderElectResourceLock}`,
      'kube-system/cloud-controller-manager/leases',
    );
    assert.deepEqual(generic.controllers, ['*']);
    assert.equal(debugging.profiling, true);
    assert.equal(generic.routeReconciliationPeriod, 10_000);
    assert.equal(generic.nodeMonitorPeriod, 5000);
    assert.equal(generic.clusterName, 'kubernetes');
    assert.equal(generic.configureCloudRoutes, true);
    assert.equal(secureServing.securePort, 10258);
    assert.equal(webhookServing.webhookSecurePort, 10260);
    assert.equal(misc.nodeStatusUpdateFrequency, 300_000);
    assert.equal(authentication.tokenCacheTtl, 10_000);
    assert.deepEqual(authorization.alwaysAllowPaths, ['/healthz', '/readyz', '/livez']);
    assert.equal(generic.leaderElect, true);
  });

  test('take every value of a long command line into its field (O2)', () => {
    const all = options(
      '--allocate-node-cidrs=true',
      '--authorization-always-allow-paths=',
      '--bind-address=192.168.4.21',
      '--cert-dir=/a/b/c',
      '--cloud-provider=gce',
      '--leader-elect=false',
      '--leader-elect-lease-duration=30s',
      '--leader-elect-renew-deadline=15s',
      '--leader-elect-retry-period=5s',
      '--controllers=foo,bar',
      '--kube-api-burst=100',
      '--kube-api-qps=50.0',
      '--http2-max-streams-per-connection=47',
      '--secure-port=10001',
      '--concurrent-node-syncs=5',
      '--webhooks=foo,bar,-baz',
      '--webhook-secure-port=10300',
      '--webhook-tls-cert-file=/w.crt',
      '--tls-sni-cert-key=a.crt, a.key:a.example,b.example',
      '--tls-sni-cert-key=b.crt,b.key',
      '--feature-gates=LoggingAlphaOptions=true,WatchList=false',
      '--feature_gates=KMSv1=true',
    );
    assert.equal(all.generic.allocateNodeCidrs, true);
    assert.deepEqual(all.authorization.alwaysAllowPaths, []);
    assert.equal(all.secureServing.bindAddress, '192.168.4.21');
    assert.equal(all.secureServing.certDir, '/a/b/c');
    assert.equal(all.generic.cloudProvider, 'gce');
    assert.equal(all.generic.leaderElect, false);
    assert.equal(all.generic.leaderElectLeaseDuration, 30_000);
    assert.equal(all.generic.leaderElectRenewDeadline, 15_000);
    assert.equal(all.generic.leaderElectRetryPeriod, 5000);
    assert.deepEqual(all.generic.controllers, ['foo', 'bar']);
    assert.equal(all.generic.kubeApiBurst, 100);
    assert.equal(all.generic.kubeApiQps, 50);
    assert.equal(all.secureServing.http2MaxStreams, 47);
    assert.equal(all.secureServing.securePort, 10001);
    assert.equal(all.nodeController.concurrentNodeSyncs, 5);
    assert.deepEqual(all.webhook.webhooks, ['foo', 'bar', '-baz']);
    assert.equal(all.webhookServing.webhookSecurePort, 10300);
    assert.equal(all.webhookServing.webhookTlsCertFile, '/w.crt');
    assert.equal(all.serviceController.concurrentServiceSyncs, 50);
    assert.deepEqual(all.secureServing.tlsSniCertKey, [
      { certFile: 'a.crt', keyFile: 'a.key', names: ['a.example', 'b.example'] },
      { certFile: 'b.crt', keyFile: 'b.key', names: [] },
    ]);
    assert.deepEqual(all.generic.featureGates, { LoggingAlphaOptions: true, WatchList: false, KMSv1: true });
  });

  test('derive the address workers from the initialising ones unless given (O3, O4)', () => {
    assert.equal(addressWorkers(options('--concurrent-node-syncs=4')), 4);
    assert.equal(addressWorkers(options('--concurrent-node-syncs=1', '--concurrent-node-status-updates=2')), 2);
  });

  test('need no webhooks (O6), and refuse a webhook that does not exist', () => {
    assert.equal(problems(), undefined);
    assert.equal(problems('--webhooks=*'), undefined);
    assert.equal(
      problems('--webhooks=foo,-bar'),
      '["bar" is not in the list of known webhooks, "foo" is not in the list of known webhooks]',
    );
  });

  test('refuse workers that would do nothing (O8, O9, O10)', () => {
    assert.equal(problems('--concurrent-node-syncs=5', '--concurrent-node-status-updates=5'), undefined);
    for (const count of ['0', '-5']) {
      assert.equal(problems(`--concurrent-node-syncs=${count}`), 'concurrent-node-syncs must be a positive number');
    }
    assert.equal(
      problems('--concurrent-node-syncs=5', '--concurrent-node-status-updates=-1'),
      'concurrent-node-status-updates cannot be a negative number',
    );
  });

  test('name an unknown controller as it was typed (O14)', () => {
    assert.equal(problems('--controllers=foo'), '"foo" is not in the list of known controllers');
    assert.equal(problems('--controllers=-*'), '"*" is not in the list of known controllers');
    assert.equal(
      problems('--controllers=-foo,service,--route'),
      '["foo" is not in the list of known controllers, "-route" is not in the list of known controllers]',
    );
  });

  test('need a cloud provider (O15)', () => {
    assert.equal(validateOptions(options())?.message, '--cloud-provider cannot be empty');
  });

  test('report all problems at once, in order, each once', () => {
    assert.equal(
      problems(
        '--leader-elect-resource-lock=endpoints',
        '--controllers=foo,foo',
        '--secure-port=70000',
        '--requestheader-group-headers=a, ',
        '--requestheader-uid-headers=X-Uid',
        '--webhook-secure-port=-1',
      ),
      '[resourceLock value must be "leases", "foo" is not in the list of known controllers, ' +
        '--secure-port 70000 must be between 0 and 65535, inclusive. 0 for turning off secure port, ' +
        'empty value in "requestheader-group-headers", --requestheader-uid-headers is set without specifying the ' +
        'standard X-Remote-Uid header - API aggregation will not work, --webhook-secure-port -1 must be between 0 and ' +
        '65535, inclusive. A value of 0 disables the webhook endpoint entirely.]',
    );
  });

  test('refuse one port for two servers, unless it is off', () => {
    assert.equal(
      problems('--webhook-secure-port=10258'),
      '--webhook-secure-port cannot be the same value as --secure-port',
    );
    assert.equal(problems('--webhook-secure-port=0', '--secure-port=0'), undefined);
  });

  test('refuse lease times that cannot work, when there is an election', () => {
    assert.equal(problems('--leader-elect-lease-duration=10s'), 'leaseDuration must be greater than renewDeadline');
    assert.equal(
      problems('--leader-elect-renew-deadline=2s'),
      'renewDeadline must be greater than retryPeriod*JitterFactor',
    );
    assert.equal(problems('--leader-elect=false', '--leader-elect-lease-duration=1s'), undefined);
  });

  test('refuse limits of the deletion guard that make no sense', () => {
    assert.equal(
      problems('--node-deletion-hold-percent=101'),
      '--node-deletion-hold-percent must be between 0 and 100',
    );
    assert.equal(problems('--node-deletion-hold-count=-1'), '--node-deletion-hold-count cannot be negative');
  });

  test('name a wrong feature gate', () => {
    const fault = (value: string, reason: string): void =>
      assert.throws(() => options(`--feature-gates=${value}`), {
        message: `invalid argument ${JSON.stringify(value)} for "--feature-gates" flag: ${reason}`,
      });
    fault('Foo=true', 'unrecognized feature gate: Foo');
    fault('WatchList', 'missing bool value for WatchList');
    fault('WatchList=x', 'invalid value of WatchList=x, err: strconv.ParseBool: parsing "x": invalid syntax');
    fault(
      'DeclarativeValidation=false',
      'cannot set feature gate DeclarativeValidation to false, feature is locked to true',
    );
    assert.deepEqual(options('--feature-gates=DeclarativeValidation=true,,').generic.featureGates, {
      DeclarativeValidation: true,
    });
  });

  test('name a wrong certificate pair', () => {
    const fault = (value: string, reason: string): void =>
      assert.throws(() => options(`--tls-sni-cert-key=${value}`), new RegExp(`${reason}$`));
    fault('a.crt', 'expected comma separated certificate and key file paths');
    fault('a.crt,a.key:', 'empty names list is not allowed');
  });

  test('check the log flags by themselves', () => {
    const logging = (...args: string[]): string | undefined => validateLogging(options(...args))?.message;
    assert.equal(logging(), undefined);
    assert.equal(logging('--logging-format=json'), undefined);
    assert.equal(logging('--logging-format=xml'), 'format: Invalid value: "xml": Unsupported log format');
    assert.equal(
      logging('--log-text-split-stream'),
      'options.text.splitStream: Forbidden: Feature LoggingAlphaOptions is disabled',
    );
    assert.equal(logging('--log-text-split-stream', '--feature-gates=AllAlpha=true'), undefined);
    assert.match(
      logging('--logging-format=json', '--feature-gates=LoggingBetaOptions=false') ?? '',
      /LoggingBetaOptions/,
    );
    assert.match(logging('--logging-format=json', '--vmodule=a=1') ?? '', /Only supported for text log format/);
  });

  test('show as configz what is in force, and survive a JSON round trip (O16)', () => {
    const shown = configz(options('--cloud-provider=fake', '--controllers=*,-service', '--concurrent-node-syncs=3'));
    assert.deepEqual(JSON.parse(JSON.stringify(shown)), shown);
    assert.deepEqual(shown, {
      'cloudcontrollermanager.config.k8s.io': {
        kind: 'CloudControllerManagerConfiguration',
        apiVersion: 'cloudcontrollermanager.config.k8s.io/v1alpha1',
        Generic: {
          Port: 0,
          Address: '0.0.0.0',
          MinResyncPeriod: '12h0m0s',
          ClientConnection: {
            kubeconfig: '',
            acceptContentTypes: '',
            contentType: 'application/vnd.kubernetes.protobuf',
            qps: 200,
            burst: 400,
          },
          ControllerStartInterval: '0s',
          LeaderElection: {
            leaderElect: true,
            leaseDuration: '15s',
            renewDeadline: '10s',
            retryPeriod: '2s',
            resourceLock: 'leases',
            resourceName: 'cloud-controller-manager',
            resourceNamespace: 'kube-system',
          },
          Controllers: ['*', '-service-lb-controller'],
          Debugging: { enableProfiling: true, enableContentionProfiling: false },
          LeaderMigrationEnabled: false,
          LeaderMigration: { leaderName: '', resourceLock: '', controllerLeaders: null },
        },
        KubeCloudShared: {
          CloudProvider: { Name: 'fake', CloudConfigFile: '' },
          ExternalCloudVolumePlugin: '',
          UseServiceAccountCredentials: false,
          AllowUntaggedCloud: false,
          RouteReconciliationPeriod: '10s',
          NodeMonitorPeriod: '5s',
          ClusterName: 'kubernetes',
          ClusterCIDR: '',
          AllocateNodeCIDRs: false,
          CIDRAllocatorType: 'RangeAllocator',
          ConfigureCloudRoutes: true,
          NodeSyncPeriod: '0s',
        },
        NodeController: { ConcurrentNodeSyncs: 3, ConcurrentNodeStatusUpdates: 3 },
        ServiceController: { ConcurrentServiceSyncs: 50 },
        NodeStatusUpdateFrequency: '5m0s',
        Webhook: { Webhooks: null },
      },
    });
  });
});

test('tells of each flag that was set and changes nothing, and of no other', () => {
  const { withoutEffect } = readCommandLine([
    '--cloud-provider=x',
    '--use-service-account-credentials=true',
    '--enable-leader-migration',
    '--webhook-secure-port=10260',
    '--allocate-node-cidrs=false',
    '--v=2',
  ]);
  assert.deepEqual(withoutEffect, [
    '--enable-leader-migration is set, but changes nothing: it has no effect here.',
    '--use-service-account-credentials is set, but changes nothing: all controllers use one identity here.',
  ]);
});
