import type { LiveView } from './live-view.ts';

const TITLES: Readonly<Record<Exclude<keyof LiveView, 'version' | 'totals'>, string>> = {
  networks: 'Networks',
  virtualMachines: 'Virtual machines',
  publicIps: 'Public IP addresses',
  loadBalancerRules: 'Load balancer rules',
  portForwardingRules: 'Port forwarding rules',
  firewallRules: 'Firewall rules',
  networkAcls: 'Network ACL items',
  jobs: 'Latest jobs',
  faults: 'Faults in force',
  lastCalls: 'Latest calls',
};

/** The tables of the page: what the browser fetches anew every second. */
export function renderTables(view: LiveView): string {
  const parts = Object.entries(TITLES).map(([part, title]) =>
    // The titles' keys are the view's.
    renderTable(title, view[part as keyof typeof TITLES], view.totals[part]),
  );
  return `<p class="version">CloudStack ${escape(view.version)}</p>${parts.join('')}`;
}

function renderTable(
  title: string,
  lines: readonly Readonly<Record<string, string | number>>[],
  total = lines.length,
): string {
  const [first] = lines;
  const count = lines.length < total ? `${lines.length} of ${total}` : String(total);
  const heading = `<h2>${title} <small>${count}</small></h2>`;
  if (!first) return `<section>${heading}<p class="none">none</p></section>`;
  const names = Object.keys(first);
  const head = names.map((name) => `<th>${escape(name)}</th>`).join('');
  const rows = lines.map((line) => `<tr>${names.map((name) => cell(name, line[name])).join('')}</tr>`);
  return `<section>${heading}<table><thead><tr>${head}</tr></thead><tbody>${rows.join('')}</tbody></table></section>`;
}

function cell(name: string, value: string | number | undefined): string {
  const text = escape(String(value ?? ''));
  const marked = name === 'state' || name === 'status';
  const look = Number(value) >= 400 ? 'failed' : text.toLowerCase();
  return marked ? `<td><span class="mark ${look}">${text}</span></td>` : `<td>${text}</td>`;
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function escape(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => ENTITIES[sign] ?? sign);
}

/** The whole page. Without scripts it still shows the state at the time of loading. */
export function renderPage(view: LiveView): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>CloudStack simulator</title>
<style>
:root { color-scheme: light dark; font: 14px/1.45 system-ui, sans-serif; }
body { margin: 1.5rem auto; max-width: 76rem; padding: 0 1rem; }
h1 { font-size: 1.3rem; margin: 0; }
h2 { font-size: 1rem; margin: 1.5rem 0 .4rem; }
small, .none, .version { opacity: .6; font-weight: normal; }
section { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; padding: .25rem .75rem .25rem 0; border-bottom: 1px solid color-mix(in srgb, currentColor 15%, transparent); vertical-align: top; }
th { font-weight: 600; }
.mark { padding: 0 .4rem; border-radius: .6rem; background: color-mix(in srgb, currentColor 12%, transparent); white-space: nowrap; }
.mark.running, .mark.active, .mark.allocated, .mark.implemented, .mark.succeeded { background: #2e7d3233; }
.mark.stopped, .mark.revoke, .mark.failed, .mark.error, .mark.destroyed { background: #c6282833; }
.mark.pending, .mark.add, .mark.starting, .mark.stopping { background: #f9a82533; }
.lost { color: #c62828; }
.lost::before { content: 'The simulator does not answer. This is what it said last.'; }
</style>
</head>
<body>
<h1>CloudStack simulator</h1>
<main id="state">${renderTables(view)}</main>
<script>
const main = document.getElementById('state');
async function refresh() {
  try {
    const answer = await fetch('/tables');
    main.innerHTML = await answer.text();
    main.classList.remove('lost');
  } catch {
    main.classList.add('lost');
  }
  setTimeout(refresh, 1000);
}
setTimeout(refresh, 1000);
</script>
</body>
</html>
`;
}
