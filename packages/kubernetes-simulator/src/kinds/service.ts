import { type JsonObject, textAt, textListAt } from '../json.ts';
import { dnsLabelErrors } from '../validation/names.ts';
import { allocate, serviceClaims } from './service-allocation.ts';
import { defaultService } from './service-defaults.ts';
import { validateServiceStatus } from './service-status-validation.ts';
import { serviceWarnings } from './service-warnings.ts';
import { dropUnusedFields, keepAllocated } from './service-update.ts';
import { validateServiceUpdate } from './service-update-validation.ts';
import { validateService } from './service-validation.ts';
import { withSpec } from './service-view.ts';
import type { Strategy } from './strategy.ts';

export const serviceStrategy: Strategy = {
  nameErrors: dnsLabelErrors,
  defaults: defaultService,
  prepareForCreate: (service, context) => allocate(withClusterIps(service), undefined, context),
  prepareForUpdate: (service, current, context) =>
    allocate(keepAllocated(dropUnusedFields(service, current), current), current, context),
  warnings: serviceWarnings,
  validate: validateService,
  validateUpdate: (service, current) => [...validateServiceUpdate(service, current), ...validateService(service)],
  validateStatus: validateServiceStatus,
  fields: (service) => ({
    'spec.clusterIP': textAt(service, 'spec', 'clusterIP'),
    'spec.type': textAt(service, 'spec', 'type'),
  }),
  claims: serviceClaims,
  dropsStatusOnCreate: true,
  returnsDeleted: true,
  createOnUpdate: true,
};

/** A client may give clusterIP alone. */
function withClusterIps(service: JsonObject): JsonObject {
  const ip = textAt(service, 'spec', 'clusterIP');
  const given = textListAt(service['spec'], 'clusterIPs');
  return ip !== '' && given.length === 0 ? withSpec(service, { clusterIPs: [ip] }) : service;
}
