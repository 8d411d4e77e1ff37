/** What the CloudStack version in front of us can do that others cannot, as far as load balancers care. */
export interface ServerFeatures {
  /** Rules have a source list of their own (4.18). Before, sending one is an error, even an empty one. */
  readonly ruleSourceCidrs: boolean;
  /** The source list of a rule can be changed in place (4.22). Before, the change is ignored. */
  readonly changeRuleSourceCidrs: boolean;
  /** A changed protocol reaches the router at once (4.22). Before, only a changed algorithm makes it apply a rule. */
  readonly applyProtocolChange: boolean;
  /** A command that our role may not use is refused with 401, as if the key were wrong (up to 4.17). */
  readonly deniesWith401: boolean;
  /** Tags of an address go when it is released (4.18). Before, its next owner inherits them. */
  readonly addressTagsEndWithRelease: boolean;
}

/**
 * @param version for example `4.22.1.0` or `4.21.0.0-SNAPSHOT`; undefined when the server keeps it to itself: it then
 *   counts as the oldest supported one, which is the safe guess.
 */
export function serverFeatures(version: string | undefined): ServerFeatures {
  const [, major = '0', minor = '0'] = /^(\d+)(?:\.(\d+))?/.exec(version?.trim() ?? '') ?? [];
  const from = (wanted: number): boolean => Number(major) > 4 || (major === '4' && Number(minor) >= wanted);
  return {
    ruleSourceCidrs: from(18),
    changeRuleSourceCidrs: from(22),
    applyProtocolChange: from(22),
    deniesWith401: !from(18),
    addressTagsEndWithRelease: from(18),
  };
}
