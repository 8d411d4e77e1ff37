import { object, type Decode } from '../decode.ts';

/** What an ordinary user may learn about the installation. */
export interface Capabilities {
  /** For example `4.22.1.0` or `4.21.0.0-SNAPSHOT`; undefined when the server keeps it to itself. */
  readonly cloudStackVersion: string | undefined;
  /** Calls allowed per `apiLimitInterval` seconds; undefined when nothing is throttled. */
  readonly apiLimitMax: number | undefined;
  readonly apiLimitInterval: number | undefined;
  /** True if ordinary users see destroyed virtual machines. */
  readonly allowUserViewDestroyedVm: boolean;
}

export const capabilities: Decode<Capabilities> = object((fields) => ({
  cloudStackVersion: fields.optionalText('cloudstackversion'),
  apiLimitMax: fields.optionalInteger('apilimitmax'),
  apiLimitInterval: fields.optionalInteger('apilimitinterval'),
  allowUserViewDestroyedVm: fields.flag('allowuserviewdestroyedvm'),
}));
