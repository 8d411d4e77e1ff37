import { compareNetworks } from './many-services.ts';
import { memoryAndStart } from './memory-and-start.ts';
import { newNodes, silentNodes } from './node-calls.ts';
import { serviceCalls, type Calls } from './service-calls.ts';
import { serviceTimes } from './service-times.ts';
import { thousandServices } from './thousand-services.ts';

const BUDGETS = [
  { nodes: 1000, rssMb: 75, syncedMs: 400, go: '143 MB, 700 ms' },
  { nodes: 5000, rssMb: 95, syncedMs: 1200, go: '520 MB, 2,000 ms' },
];

console.log('CloudStack calls of one Service: reads / writes / job polls\n');
const MANY = Number(process.env['BENCH_SERVICES'] ?? 200);
for (const { operation, budget, go, ...calls } of [...(await serviceCalls()), ...(await thousandServices(MANY))]) {
  const over = calls.reads > budget.reads || calls.writes > budget.writes || calls.polls > budget.polls;
  const verdict = `${over ? 'OVER' : 'within'} budget of ${written(budget)}`;
  console.log(`  ${operation.padEnd(38)} ${written(calls).padEnd(10)} ${verdict.padEnd(28)} Go controller: ${go}`);
}

console.log("\nNew Services in one network, with a real management server's times\n");
for (const { services, seconds, budget, go } of await serviceTimes()) {
  const within = seconds <= budget ? 'within' : 'OVER';
  console.log(
    `  ${String(services).padStart(2)} at once   ${seconds.toFixed(2)} s   ${within} budget of ${budget} s   Go controller: ${go}`,
  );
}

console.log('\nCloudStack calls and time that many nodes cost\n');
for (const { what, calls, budget, seconds } of [await silentNodes(5000), await newNodes(1000)]) {
  const within = calls <= budget ? 'within' : 'OVER';
  console.log(
    `  ${what.padEnd(52)} ${calls} list calls, ${seconds.toFixed(1)} s   ${within} budget of ${budget} calls`,
  );
}

console.log('\nMemory when quiet, and time from process start to synced caches\n');
for (const budget of BUDGETS) {
  const { nodes, rssMb, peakMb, syncedMs } = await memoryAndStart(budget.nodes);
  const within = rssMb <= budget.rssMb && syncedMs <= budget.syncedMs ? 'within' : 'OVER';
  console.log(
    `  ${String(nodes).padStart(5)} nodes   ${rssMb.toFixed(0)} MB (peak ${peakMb.toFixed(0)} MB), ${syncedMs.toFixed(0)} ms` +
      `   ${within} budget of ${budget.rssMb} MB, ${budget.syncedMs} ms   Go controller: ${budget.go}`,
  );
}

const { networks, perNetwork, alone, together } = await compareNetworks(
  Number(process.env['BENCH_NETWORKS'] ?? 4),
  Number(process.env['BENCH_SERVICES_PER_NETWORK'] ?? 10),
);
console.log("\nServices created at once, with a real management server's times\n");
console.log(`  ${perNetwork} in one network    ${alone.toFixed(1)} s`);
console.log(
  `  ${networks * perNetwork} in ${networks} networks    ${together.toFixed(1)} s   ${(together / alone).toFixed(2)} times one network alone`,
);

function written({ reads, writes, polls }: Calls): string {
  return `${reads} / ${writes} / ${polls}`;
}
