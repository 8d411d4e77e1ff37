import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { play } from './player.ts';
import { TOKEN_AUTH_FILE } from './scenario.ts';
import { scenarios } from './scenarios.ts';

/**
 * Records what a real kube-apiserver answers to the scenarios. It must be fresh, and know the users of
 * `TOKEN_AUTH_FILE`.
 *
 * Usage: NODE_EXTRA_CA_CERTS=ca.crt npm run record -w packages/kubernetes-simulator -- https://127.0.0.1:6443
 */
const [, , server] = process.argv;
if (server === undefined) {
  process.stdout.write(`Give the server's URL. Its --token-auth-file has to be:\n${TOKEN_AUTH_FILE}`);
  process.exitCode = 1;
} else {
  const answers = [];
  for (const scenario of scenarios) answers.push(...(await play(server, scenario)));
  const lines = answers.map((answer) => JSON.stringify(answer));
  writeFileSync(path.join(import.meta.dirname, 'recorded.jsonl'), `${lines.join('\n')}\n`);
  process.stdout.write(`${answers.length} answers recorded\n`);
}
