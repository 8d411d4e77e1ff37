import { InvalidInputError, messageOf } from '@cloudstack-ccm/base';
import { parse } from 'yaml';
import { ApiError } from '../api-error.ts';
import { readScene, type SceneDocument } from './schema.ts';
import type { World } from './world.ts';

/** Reads a scene from YAML. @throws InvalidInputError that names the place of what is wrong. */
export function parseScene(text: string): SceneDocument {
  let document: unknown;
  try {
    document = parse(text);
  } catch (thrown) {
    throw new InvalidInputError(`The scene is no YAML: ${messageOf(thrown)}`);
  }
  return readScene(document);
}

/** Builds what a document describes. @throws InvalidInputError for what does not go together, or does not fit in. */
export function buildScene(world: World, scene: SceneDocument): void {
  try {
    build(world, scene);
  } catch (thrown) {
    if (thrown instanceof ApiError) throw new InvalidInputError(`The scene can not be built: ${thrown.message}`);
    throw thrown;
  }
}

/** Its parts may name each other, so the order is fixed. */
function build(world: World, scene: SceneDocument): void {
  for (const domain of scene.domains) world.domain(domain);
  for (const account of scene.accounts) world.account(account);
  for (const zone of scene.zones) world.zone(zone);
  for (const project of scene.projects) world.project(project);
  for (const offering of scene.serviceOfferings) world.serviceOffering(offering);
  for (const offering of scene.networkOfferings) world.networkOffering(offering);
  for (const offering of scene.vpcOfferings) world.vpcOffering(offering);
  for (const vpc of scene.vpcs) world.vpc(vpc);
  for (const list of scene.aclLists) world.aclList(list);
  for (const network of scene.networks) world.network(network);
  for (const machines of scene.virtualMachines) addMachines(world, machines);
  for (const ip of scene.publicIps) world.publicIp(ip);
  world.backend.state.settings = { ...world.backend.state.settings, ...scene.settings };
}

/** With a count, `node` becomes `node-1`, `node-2` … */
function addMachines(world: World, { count, name, ...spec }: SceneDocument['virtualMachines'][number]): void {
  if (count === undefined) return void world.virtualMachine({ name, ...spec });
  for (let number = 1; number <= count; number++) world.virtualMachine({ name: `${name}-${number}`, ...spec });
}
