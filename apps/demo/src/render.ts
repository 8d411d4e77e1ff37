import { styleText } from 'node:util';
import type { Picture } from './picture.ts';
import { table } from './table.ts';

type Style = 'bold' | 'dim' | 'green' | 'yellow';

export interface RenderOptions {
  /** Colours for a terminal; plain text for everything else. */
  readonly colours: boolean;
}

/** The whole picture as lines of text: a person reads the upper half as the cluster, the lower half as the cloud. */
export function render(picture: Picture, { colours }: RenderOptions): string[] {
  const paint = (style: Style, text: string): string =>
    colours ? styleText(style, text, { validateStream: false }) : text;
  const state = (good: boolean, text: string): string => paint(good ? 'green' : 'yellow', text);
  const section = (title: string, lines: readonly string[]): string[] => [paint('bold', title), ...indent(lines), ''];
  return [
    ...section('Kubernetes: nodes', nodes(picture, state)),
    ...section('Kubernetes: Services of type LoadBalancer', services(picture, state)),
    ...section('CloudStack: public IPs', addresses(picture)),
    ...section('CloudStack: load balancer rules', rules(picture, state)),
    ...section(
      'Last actions',
      picture.actions.map((action) => paint('dim', action)),
    ),
  ];
}

type State = (good: boolean, text: string) => string;

function nodes(picture: Picture, state: State): string[] {
  return table(
    ['name', 'state', 'provider id', 'internal ip', 'instance type', 'zone'],
    picture.nodes.map((node) => [
      node.name,
      state(node.initialised, node.initialised ? 'initialised' : 'uninitialized'),
      or(node.providerId),
      or(node.internalIp),
      or(node.instanceType),
      or(node.zone),
    ]),
  );
}

function services(picture: Picture, state: State): string[] {
  return table(
    ['name', 'external ip', 'ports'],
    picture.services.map((service) => [
      service.name,
      state(service.external !== '', service.external || '<pending>'),
      service.ports,
    ]),
  );
}

function addresses(picture: Picture): string[] {
  return table(
    ['address', 'state', 'used for'],
    picture.addresses.map((address) => [address.address, address.state, address.purpose]),
  );
}

function rules(picture: Picture, state: State): string[] {
  return table(
    ['rule', 'frontend', 'node port', 'members', 'firewall lets in', 'state'],
    picture.rules.map((rule) => [
      rule.name,
      rule.frontend,
      rule.nodePort,
      or(rule.members.join(',')),
      or(rule.allowed),
      state(rule.state === 'Active', rule.state),
    ]),
  );
}

function indent(lines: readonly string[]): string[] {
  return (lines.length === 0 ? ['none yet'] : lines).map((line) => `  ${line}`);
}

function or(text: string): string {
  return text === '' ? '<none>' : text;
}
