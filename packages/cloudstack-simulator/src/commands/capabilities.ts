import { isRoot, isDomainAdmin } from '../call.ts';
import { sync } from '../command.ts';
import { supports } from '../version-profile.ts';

export const capabilityCommands = [
  sync({
    name: 'listCapabilities',
    description: 'Lists capabilities',
    readOnly: true,
    parameters: {},
    run: (call) => {
      const { profile, state } = call;
      const since = (version: string): boolean => supports(profile, version);
      const admin = isRoot(call) || isDomainAdmin(call);
      const { settings } = state;
      return {
        capability: {
          securitygroupsenabled: false,
          dynamicrolesenabled: true,
          cloudstackversion: profile.version,
          userpublictemplateenabled: true,
          supportELB: 'false',
          projectinviterequired: false,
          allowusercreateprojects: true,
          customdiskofferingminsize: 1,
          customdiskofferingmaxsize: 1024,
          regionsecondaryenabled: false,
          kvmsnapshotenabled: false,
          allowuserviewdestroyedvm: admin || settings.allowUserViewDestroyedVm,
          allowuserexpungerecovervm: admin || settings.allowUserExpungeRecoverVm,
          ...(since('4.15') && { allowuserexpungerecovervolume: true }),
          ...(since('4.16') && { allowuserviewalldomainaccounts: false }),
          kubernetesserviceenabled: true,
          kubernetesclusterexperimentalfeaturesenabled: false,
          ...(since('4.19') && { customhypervisordisplayname: 'Custom' }),
          ...(settings.throttlingEnabled && {
            apilimitinterval: settings.throttlingIntervalSeconds,
            apilimitmax: settings.throttlingMax,
          }),
          ...(since('4.15') && { defaultuipagesize: 20 }),
          ...(since('4.18') && {
            instancesstatsretentiontime: 720,
            instancesstatsuseronly: false,
            instancesdisksstatsretentionenabled: false,
            instancesdisksstatsretentiontime: 720,
          }),
          ...(since('4.22') && { additionalconfigenabled: false }),
        },
      };
    },
  }),
];
