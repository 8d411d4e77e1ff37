import { api, type Api } from '../entities/api.ts';
import { project, type Project } from '../entities/project.ts';
import { serviceOffering, type ServiceOffering } from '../entities/service-offering.ts';
import { zone, type Zone } from '../entities/zone.ts';
import { byId, listCommand } from './command.ts';

export type ZoneFilter = {
  readonly id?: string | undefined;
  /** Exact. */
  readonly name?: string | undefined;
  readonly available?: boolean | undefined;
};

export const listZones = listCommand<ZoneFilter, Zone>({
  command: 'listZones',
  items: 'zone',
  decode: zone,
  identify: byId,
});

export type ProjectFilter = {
  readonly id?: string | undefined;
  /** Exact. */
  readonly name?: string | undefined;
  readonly listAll?: boolean | undefined;
  /** `min` leaves the resource counts out. */
  readonly details?: 'min' | 'resource' | 'all' | undefined;
};

export const listProjects = listCommand<ProjectFilter, Project>({
  command: 'listProjects',
  items: 'project',
  decode: project,
  identify: byId,
});

export type ServiceOfferingFilter = {
  readonly id?: string | undefined;
  readonly name?: string | undefined;
};

export const listServiceOfferings = listCommand<ServiceOfferingFilter, ServiceOffering>({
  command: 'listServiceOfferings',
  items: 'serviceoffering',
  decode: serviceOffering,
  identify: byId,
});

export type ApiFilter = {
  /** Exact, case included. An unknown name, or one that the role does not permit, is an error 530. */
  readonly name?: string | undefined;
};

export const listApis = listCommand<ApiFilter, Api>({
  command: 'listApis',
  items: 'api',
  decode: api,
  paged: false,
  identify: (item) => item.name,
});
