import { createPrivateKey, X509Certificate } from 'node:crypto';
import { accountAndDomain, checkAccess, projectOf } from '../access.ts';
import { ApiError, invalidValue, serverError, unexpected } from '../api-error.ts';
import type { Call } from '../call.ts';
import { asynchronous, list, sync } from '../command.ts';
import type { JsonObject } from '../json.ts';
import { providerOf } from '../operations/networks.ts';
import { PAGE } from '../parameter.ts';
import type { LoadBalancerRule, SslCertificate } from '../state.ts';
import { showDomain } from '../views/owner.ts';
import { ruleQueue } from './load-balancer-rules.ts';
import { ownerOf } from './virtual-machine-deploy.ts';

function showCertificate(certificate: SslCertificate, call: Call): JsonObject {
  const { state } = call;
  const owner = accountAndDomain(state, certificate.accountId);
  const project = projectOf(state, certificate.accountId);
  const rules = boundRules(call, certificate.id).map((rule) => rule.id);
  return {
    id: certificate.id,
    name: certificate.name,
    certificate: certificate.certificate,
    certchain: certificate.chain,
    fingerprint: certificate.fingerprint,
    ...(project ? { projectid: project.id, project: project.name } : { account: owner?.account.name }),
    ...(owner && showDomain(call, owner.domain.id)),
    loadbalancerrulelist: rules.length > 0 ? rules : undefined,
  };
}

function boundRules({ state }: Call, certificateId: string): LoadBalancerRule[] {
  return state.loadBalancerRules.filter((rule) => rule.sslCertificateId === certificateId);
}

/** The fingerprint of a certificate that goes with its key. @throws ApiError 530 without a text if it can't be read. */
function checkPair(certificate: string, privateKey: string): string {
  let parsed: X509Certificate;
  let key: ReturnType<typeof createPrivateKey>;
  try {
    parsed = new X509Certificate(certificate);
    key = createPrivateKey(privateKey);
  } catch {
    throw new ApiError('', { status: 530, reason: 9999 });
  }
  if (!parsed.checkPrivateKey(key)) throw serverError(530, "Public and Private Keys don't match");
  return parsed.fingerprint;
}

const BALANCERS_WITH_TLS = new Set(['Netscaler', 'Tungsten']);

function endsTls({ state, profile }: Call, rule: LoadBalancerRule): boolean {
  const network = state.networks.get(rule.networkId);
  const provider = network && providerOf(state, network, 'Lb');
  if (provider === undefined) return false;
  return BALANCERS_WITH_TLS.has(provider) || (profile.routerSsl && provider.endsWith('VirtualRouter'));
}

function ruleOf(call: Call, id: string): LoadBalancerRule {
  const rule = call.state.loadBalancerRules.get(id);
  if (!rule) throw invalidValue(`Invalid load balancer id: ${id}`);
  checkAccess(call, rule.accountId);
  return rule;
}

/** Whose certificates a list asks for. */
function matcher(
  call: Call,
  {
    certid,
    lbruleid,
    accountid,
    projectid,
  }: Readonly<Record<'certid' | 'lbruleid' | 'accountid' | 'projectid', string | undefined>>,
): (certificate: SslCertificate) => boolean {
  if (certid !== undefined) return (certificate) => certificate.id === certid;
  if (lbruleid !== undefined) {
    const bound = ruleOf(call, lbruleid).sslCertificateId;
    return (certificate) => certificate.id === bound;
  }
  if (accountid !== undefined) return (certificate) => certificate.accountId === accountid;
  if (projectid !== undefined) {
    const owner = call.state.projects.get(projectid)?.accountId;
    return (certificate) => certificate.accountId === owner;
  }
  throw new ApiError('Invalid parameters either certificate ID or Account ID or Loadbalancer ID required', {
    status: 530,
    reason: 0,
    masked: true,
  });
}

export const sslCertificateCommands = [
  sync({
    name: 'uploadSslCert',
    description: 'Upload a certificate to CloudStack',
    event: 'LB.CERT.UPLOAD',
    parameters: {
      certificate: { type: 'string', length: 16_384, required: true },
      privatekey: { type: 'string', length: 16_384, required: true },
      certchain: { type: 'string', length: 2_097_152 },
      password: { type: 'string' },
      account: { type: 'string' },
      projectid: { type: 'uuid', of: 'project' },
      domainid: { type: 'uuid', of: 'domain' },
      name: { type: 'string', required: true },
      enabledrevocationcheck: { type: 'boolean', since: '4.15' },
    },
    run: (call, values) => {
      const fingerprint = checkPair(values.certificate, values.privatekey);
      const certificate = call.state.sslCertificates.add({
        id: call.random.uuid(),
        accountId: ownerOf(call, values),
        name: values.name,
        certificate: values.certificate,
        privateKey: values.privatekey,
        ...(values.certchain !== undefined && { chain: values.certchain }),
        fingerprint,
      });
      return { sslcert: showCertificate(certificate, call) };
    },
  }),
  sync({
    name: 'deleteSslCert',
    description: 'Delete a certificate to CloudStack',
    event: 'LB.CERT.DELETE',
    parameters: { id: { type: 'uuid', of: 'ssl-certificate', required: true } },
    run: (call, { id }) => {
      const certificate = call.state.sslCertificates.get(id);
      if (certificate) checkAccess(call, certificate.accountId);
      const bound = boundRules(call, id).map((rule) => rule.id);
      if (bound.length > 0) throw serverError(530, `Certificate in use by a loadbalancer(s) ${bound.join(',')}`);
      call.state.sslCertificates.delete(id);
      return { success: true };
    },
  }),
  list({
    name: 'listSslCerts',
    description: 'Lists SSL certificates',
    item: 'sslcert',
    parameters: {
      ...PAGE,
      certid: { type: 'uuid', of: 'ssl-certificate' },
      accountid: { type: 'uuid', of: 'account' },
      lbruleid: { type: 'uuid', of: 'load-balancer-rule' },
      projectid: { type: 'uuid', of: 'project' },
    },
    select: (call, { certid, accountid, lbruleid, projectid }) => {
      const found = call.state.sslCertificates.filter(matcher(call, { certid, accountid, lbruleid, projectid }));
      for (const certificate of found) checkAccess(call, certificate.accountId);
      return found;
    },
    show: showCertificate,
  }),
  asynchronous({
    name: 'assignCertToLoadBalancer',
    description: 'Assigns a certificate to a load balancer rule',
    commandClass: 'user.loadbalancer.AssignCertToLoadBalancerCmd',
    event: 'LB.CERT.ASSIGN',
    parameters: {
      lbruleid: { type: 'uuid', of: 'load-balancer-rule', required: true },
      certid: { type: 'uuid', of: 'ssl-certificate', required: true },
      forced: { type: 'boolean', since: '4.22' },
    },
    queue: (call, { lbruleid }) => ruleQueue(call, { id: lbruleid }),
    run: async (call, { lbruleid, certid, forced }, job) => {
      const rule = ruleOf(call, lbruleid);
      const certificate = call.state.sslCertificates.get(certid);
      if (!certificate) throw invalidValue(`Invalid certificate id: ${certid}`);
      checkAccess(call, certificate.accountId);
      if (certificate.accountId !== rule.accountId) {
        throw invalidValue('Certificate and load balancer rule belong to different accounts');
      }
      if (!endsTls(call, rule)) throw invalidValue('Ssl termination not supported by the loadbalancer');
      if (rule.protocol !== 'ssl') throw invalidValue(`Bad LB protocol: Expected ssl got ${rule.protocol}`);
      if (rule.sslCertificateId !== undefined && forced !== true) {
        throw invalidValue('Another certificate is already bound to the LB');
      }
      await job.work();
      call.state.loadBalancerRules.update(rule.id, { sslCertificateId: certid });
      return { success: true };
    },
  }),
  asynchronous({
    name: 'removeCertFromLoadBalancer',
    description: 'Removes a certificate from a load balancer rule',
    commandClass: 'user.loadbalancer.RemoveCertFromLoadBalancerCmd',
    event: 'LB.CERT.REMOVE',
    parameters: { lbruleid: { type: 'uuid', of: 'load-balancer-rule', required: true } },
    queue: (call, { lbruleid }) => ruleQueue(call, { id: lbruleid }),
    run: async (call, { lbruleid }, job) => {
      const { sslCertificateId, ...rule } = ruleOf(call, lbruleid);
      if (sslCertificateId === undefined)
        throw invalidValue(`No certificate is bound to lb with id: ${rule.internalId}`);
      await job.work();
      if (!call.state.loadBalancerRules.get(rule.id)) throw unexpected('The load balancer rule is gone');
      call.state.loadBalancerRules.replace(rule);
      return { success: true };
    },
  }),
];
