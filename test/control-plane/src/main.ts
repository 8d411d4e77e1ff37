/* `make control-plane`: builds etcd, kube-apiserver and kubectl once, and shows that it is at work. */
import { messageOf } from '@cloudstack-ccm/base';
import { findOrBuild } from './find.ts';
import { progressLine, progressPrinter } from './progress.ts';

const stream = process.stderr;
const print = progressPrinter((text) => stream.write(text), stream.isTTY ? stream.columns : undefined);
try {
  const assets = await findOrBuild({ onProgress: (progress) => print(progress.elapsedMs, progressLine(progress)) });
  process.stdout.write(`${stream.isTTY ? '\n' : ''}kube-apiserver is at ${assets.kubeApiserver}\n`);
} catch (thrown) {
  stream.write(`\n${messageOf(thrown)}\n`);
  process.exitCode = 1;
}
