import { compareNetworks } from './many-services.ts';
import { memoryAndStart } from './memory-and-start.ts';
import { newNodes, silentNodes } from './node-calls.ts';
import { serviceCalls } from './service-calls.ts';

const BUDGETS = [
  { nodes: 1000, rssMb: 75, syncedMs: 400, go: '143 MB, 700 ms' },
  { nodes: 5000, rssMb: 95, syncedMs: 1200, go: '520 MB, 2,000 ms' },
];

console.log('CloudStack calls of one Service: reads / writes / job polls\n');
for (const { operation, reads, writes, polls, go } of await serviceCalls()) {
  console.log(`  ${operation.padEnd(36)} ${`${reads} / ${writes} / ${polls}`.padEnd(14)} Go controller: ${go}`);
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
