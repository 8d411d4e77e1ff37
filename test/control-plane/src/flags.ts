/** Where one control plane lives. */
export interface Layout {
  readonly folder: string;
  readonly etcdPort: number;
  readonly etcdPeerPort: number;
  readonly apiPort: number;
}

export function etcdFlags({ folder, etcdPort, etcdPeerPort }: Layout): readonly string[] {
  const client = `http://127.0.0.1:${etcdPort}`;
  const peer = `http://127.0.0.1:${etcdPeerPort}`;
  return [
    `--data-dir=${folder}/etcd`,
    `--listen-client-urls=${client}`,
    `--advertise-client-urls=${client}`,
    `--listen-peer-urls=${peer}`,
    `--initial-advertise-peer-urls=${peer}`,
    `--initial-cluster=default=${peer}`,
    // Data of a test needs to survive nothing: without fsync, etcd answers in a fraction of the time.
    '--unsafe-no-fsync',
    '--log-level=warn',
  ];
}

export function apiServerFlags({ folder, etcdPort, apiPort }: Layout): readonly string[] {
  return [
    `--etcd-servers=http://127.0.0.1:${etcdPort}`,
    // Compaction takes old versions away, which tests of watches want to decide themselves.
    '--etcd-compaction-interval=0',
    '--bind-address=127.0.0.1',
    `--secure-port=${apiPort}`,
    '--advertise-address=127.0.0.1',
    // The default one refuses a loopback address as the endpoint of the Service `kubernetes`.
    '--endpoint-reconciler-type=none',
    '--service-cluster-ip-range=10.96.0.0/16',
    `--cert-dir=${folder}`,
    `--tls-cert-file=${folder}/server.crt`,
    `--tls-private-key-file=${folder}/server.key`,
    `--client-ca-file=${folder}/ca.crt`,
    `--requestheader-client-ca-file=${folder}/ca.crt`,
    '--requestheader-allowed-names=front-proxy-client',
    '--requestheader-username-headers=X-Remote-User',
    '--requestheader-group-headers=X-Remote-Group',
    '--requestheader-extra-headers-prefix=X-Remote-Extra-',
    `--proxy-client-cert-file=${folder}/front-proxy.crt`,
    `--proxy-client-key-file=${folder}/front-proxy.key`,
    `--token-auth-file=${folder}/tokens.csv`,
    '--anonymous-auth=false',
    '--authorization-mode=RBAC',
    '--service-account-issuer=https://kubernetes.default.svc.cluster.local',
    `--service-account-key-file=${folder}/service-account.key`,
    `--service-account-signing-key-file=${folder}/service-account.key`,
    // Without kube-controller-manager nobody makes the default service accounts that this plug-in waits for.
    '--disable-admission-plugins=ServiceAccount',
    '--profiling=false',
  ];
}
