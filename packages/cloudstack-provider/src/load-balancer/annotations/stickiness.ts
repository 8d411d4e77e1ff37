import { ANNOTATIONS, nameOf } from './annotations.ts';
import { splitList } from './annotation-values.ts';
import { bad, good, type Problem, type Reading } from './problem.ts';

/** What the Go CCM writes into the description of its policies: only these are ever removed. */
export const MANAGED_POLICY = 'Managed by the CloudStack Kubernetes Provider';

/** How clients are kept on one member. */
export interface Stickiness {
  /** In the server's spelling, where the network tells it. */
  readonly method: string;
  readonly parameters: Readonly<Record<string, string>>;
}

/** A method that a network's load balancer offers. */
export interface StickinessMethod {
  readonly name: string;
  readonly parameters: readonly { readonly name: string; readonly required: boolean; readonly flag: boolean }[];
}

const METHOD = nameOf(ANNOTATIONS.stickinessMethod);
const PARAMETERS = nameOf(ANNOTATIONS.stickinessParameters);
const COOKIE_MODES = ['insert', 'rewrite', 'prefix'];

/** HAProxy dropped the option behind `AppCookie`, yet CloudStack still offers it. */
function isAppCookie(method: string): boolean {
  return method.toLowerCase() === 'appcookie';
}

/** `LbCookie` puts a port into HTTP mode, so it may only be used where plain HTTP is spoken. */
export function needsHttp(method: string): boolean {
  return method.toLowerCase() === 'lbcookie';
}

/** Reads both annotations, without knowing the network yet. */
export function readStickiness(
  method: string | undefined,
  parameterText: string,
): { readonly stickiness: Stickiness | undefined; readonly problems: readonly Problem[] } {
  if (method === undefined) return { stickiness: undefined, problems: [] };
  if (isAppCookie(method)) {
    const why = 'HAProxy removed the appsession option it needs';
    const message = `unsupported stickiness method ${method} in annotation ${METHOD}: ${why}`;
    return { stickiness: undefined, problems: [{ field: METHOD, message }] };
  }
  const parameters = readParameters(parameterText);
  if ('problem' in parameters) {
    return { stickiness: undefined, problems: [{ field: PARAMETERS, message: parameters.problem }] };
  }
  return { stickiness: { method, parameters: parameters.value }, problems: [] };
}

function readParameters(text: string): Reading<Readonly<Record<string, string>>> {
  const parameters = new Map<string, readonly [string, string]>();
  for (const entry of splitList(text)) {
    const [key = '', value] = entry.split(/=(.*)/s).map((part) => part.trim());
    const reason = entryProblem(key, value, parameters);
    if (reason) return bad(`invalid stickiness parameter "${entry}" in annotation ${PARAMETERS}: ${reason}`);
    parameters.set(key.toLowerCase(), [key, value ?? '']);
  }
  return good(Object.fromEntries(parameters.values()));
}

function entryProblem(key: string, value: string | undefined, known: ReadonlyMap<string, unknown>): string | undefined {
  if (key === '') return 'expected key=value';
  if (value === undefined || value === '') return `missing value, write flags as ${key}=true`;
  // CloudStack copies both unquoted into HAProxy's configuration.
  if (/[\s=&"'\\#]/.test(key + value)) return `spaces and the characters = & " ' \\ # are not allowed`;
  if (known.has(key.toLowerCase())) return `${key} is set twice`;
  return undefined;
}

/**
 * Holds the wish against what the network's load balancer offers, and gives it the server's spelling.
 * @param methods empty when the network does not tell: then nothing is checked.
 */
export function fitStickiness(wish: Stickiness, methods: readonly StickinessMethod[]): Reading<Stickiness> {
  if (methods.length === 0) return good(wish);
  const method = methods.find((one) => one.name.toLowerCase() === wish.method.toLowerCase());
  if (!method) return bad(unsupportedMethod(wish.method, methods));
  const parameters: (readonly [string, string])[] = [];
  for (const [key, value] of Object.entries(wish.parameters)) {
    const fitted = fitParameter(method, key, value);
    if ('problem' in fitted) return fitted;
    if (fitted.value) parameters.push(fitted.value);
  }
  const missing = method.parameters.find((one) => one.required && !parameters.some(([name]) => name === one.name));
  if (missing)
    return bad(`stickiness method ${method.name} needs parameter ${missing.name} in annotation ${PARAMETERS}`);
  return good({ method: method.name, parameters: Object.fromEntries(parameters) });
}

function unsupportedMethod(method: string, methods: readonly StickinessMethod[]): string {
  const offered = methods.map((one) => one.name).filter((name) => !isAppCookie(name));
  return (
    `stickiness method "${method}" in annotation ${METHOD} is not supported on this network; ` +
    `supported methods: ${offered.join(', ')}`
  );
}

/** The parameter as it is sent; undefined for a flag that is off, because a flag is on whatever its value. */
function fitParameter(
  method: StickinessMethod,
  key: string,
  value: string,
): Reading<readonly [string, string] | undefined> {
  const offered = method.parameters.find((one) => one.name.toLowerCase() === key.toLowerCase());
  if (!offered) {
    const names = method.parameters.map((one) => one.name).join(', ');
    const where = `in annotation ${PARAMETERS} is not supported by ${method.name}`;
    return bad(`stickiness parameter "${key}" ${where}; supported parameters: ${names}`);
  }
  if (offered.flag) return fitFlag(offered.name, value);
  const badMode = needsHttp(method.name) && offered.name === 'mode' && !COOKIE_MODES.includes(value);
  if (!badMode) return good([offered.name, value]);
  const modes = COOKIE_MODES.join(', ');
  return bad(`stickiness parameter mode in annotation ${PARAMETERS} must be one of ${modes}, not "${value}"`);
}

function fitFlag(name: string, value: string): Reading<readonly [string, string] | undefined> {
  const word = value.toLowerCase();
  if (word === 'true') return good([name, 'true']);
  if (word === 'false') return good(undefined);
  return bad(`stickiness flag ${name} in annotation ${PARAMETERS} must be true or false, not "${value}"`);
}

export function sameStickiness(left: Stickiness, right: Stickiness): boolean {
  return left.method.toLowerCase() === right.method.toLowerCase() && encode(left) === encode(right);
}

function encode(stickiness: Stickiness): string {
  const entries = Object.entries(stickiness.parameters).map(([name, value]) => `${name.toLowerCase()}=${value}`);
  return entries.sort().join('&');
}
