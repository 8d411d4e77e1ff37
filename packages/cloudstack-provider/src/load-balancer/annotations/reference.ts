import { ANNOTATIONS, nameOf, PREFIX, type Annotation } from './annotations.ts';
import { EVENTS } from '../report/events.ts';

/** The page about annotations, made from what reads them, so that it cannot say anything else. */
export function annotationReference(): string {
  const all: readonly Annotation<unknown>[] = Object.values(ANNOTATIONS);
  return [
    '# Annotations of load balancers',
    '',
    `They belong on Services of type LoadBalancer, and all begin with \`${PREFIX}\`. An empty value counts as absent; an`,
    'annotation that nobody knows gives a warning event; a value that cannot be read gives one too, and then nothing is',
    'changed in CloudStack until it is corrected.',
    '',
    '## For users',
    '',
    ...all.filter((one) => one.writtenBy === 'user').flatMap(section),
    '## Written by controllers',
    '',
    'Do not set, change or remove these by hand.',
    '',
    ...all.filter((one) => one.writtenBy === 'controller').flatMap(section),
  ].join('\n');
}

function section(annotation: Annotation<unknown>): readonly string[] {
  const { suffix, type, description, effect, since, example } = annotation;
  return [
    `### \`${suffix}\``,
    '',
    description,
    '',
    '|     |     |',
    '| --- | --- |',
    `| Type | ${type} |`,
    `| Default | ${annotation.default} |`,
    `| Effect of a change on traffic | ${effect} |`,
    ...(since === undefined ? [] : [`| Needs | CloudStack ${since} |`]),
    '',
    ...(example === undefined
      ? []
      : ['```yaml', 'metadata:', '  annotations:', `    ${nameOf(annotation)}: '${example}'`, '```', '']),
  ];
}

/** The page about events that load balancers give of their own. */
export function eventReference(): string {
  const rows = Object.entries(EVENTS).map(
    ([reason, { type, advice }]) => `| \`${reason}\` | ${type} | ${advice || '—'} |`,
  );
  return [
    '# Events of load balancers',
    '',
    'Events on Services, beside those that every cloud controller manager gives (`EnsuringLoadBalancer`,',
    '`SyncLoadBalancerFailed` …). The message says first what happened, and to what. One event stands for one state,',
    'however often it is met: it is given again when it comes back, and when the Service has changed.',
    '',
    '| Reason | Type | What to do |',
    '| --- | --- | --- |',
    ...rows,
    '',
    ...CONDITIONS,
  ].join('\n');
}

const CONDITIONS = [
  '## Conditions',
  '',
  'Two conditions in `status.conditions` of a Service show the same for as long as it lasts, for `kubectl describe`,',
  '`kubectl wait` and alerts. They are written when they change, never by a retry; conditions of others stay.',
  '',
  '| Type | `True` | `False` |',
  '| --- | --- | --- |',
  '| `cloudstack.apache.org/LoadBalancerReady` | The last sync did all that it had to. | It failed, and is tried again. The message says why; the reason is a stable word, for example `InvalidService`, `NodesNotMatched` or `ActionFailed`. An address that was served before goes on to be served. |',
  '| `cloudstack.apache.org/LoadBalancerComplete` | Nothing that the Service asks for is missing. | The messages of all warnings above that hold now, one per line; the reason is that of the first. |',
  '',
  '```sh',
  "kubectl wait service/web --for='condition=cloudstack.apache.org/LoadBalancerReady' --timeout=2m",
  '```',
  '',
];
