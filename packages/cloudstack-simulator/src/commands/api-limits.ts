import { checkAccess } from '../access.ts';
import { list, sync } from '../command.ts';

export const apiLimitCommands = [
  list({
    name: 'getApiLimit',
    description: 'Get API limit count for the caller',
    item: 'apilimit',
    parameters: {},
    select: (call) => [call.rateLimit.usage(call.caller.account.id)],
    show: ({ calls, expiresMs }, call) => ({
      accountid: call.caller.account.id,
      account: call.caller.account.name,
      apiIssued: calls,
      apiAllowed: Math.max(0, call.state.settings.throttlingMax - calls),
      expireAfter: expiresMs,
    }),
  }),
  sync({
    name: 'resetApiLimit',
    description: 'Reset api count',
    roles: ['Admin'],
    parameters: { account: { type: 'uuid', of: 'account' } },
    run: (call, { account }) => {
      if (account !== undefined) checkAccess(call, account);
      call.rateLimit.reset(account ?? call.caller.account.id);
      return { success: true };
    },
  }),
];
