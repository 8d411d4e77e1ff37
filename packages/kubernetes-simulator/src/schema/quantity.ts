const PATTERN = /^([+-]?)(\d*)(?:\.(\d*))?(Ki|Mi|Gi|Ti|Pi|Ei|[numkMGTPE]?|[eE][+-]?\d+)$/;
const BINARY = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];
const DECIMAL = ['n', 'u', 'm', '', 'k', 'M', 'G', 'T', 'P', 'E'];
/** The finest step of a quantity: values are kept as whole nanos. */
const NANOS = 10n ** 9n;

/** A Kubernetes resource quantity in the one spelling that the API server answers with; undefined if it is none. */
export function canonicalQuantity(text: string): string | undefined {
  const [, sign, whole = '', fraction = '', suffix = ''] = PATTERN.exec(text) ?? [];
  if (sign === undefined || whole + fraction === '') return undefined;
  const value = nanosOf(whole, fraction, suffix);
  const prefix = sign === '-' && value !== 0n ? '-' : '';
  return prefix + spell(value, suffix);
}

function nanosOf(whole: string, fraction: string, suffix: string): bigint {
  const [up, down] = factorOf(suffix);
  const divisor = down * 10n ** BigInt(fraction.length);
  // What is finer than a nano is rounded away from zero.
  return (BigInt(whole + fraction) * up * NANOS + divisor - 1n) / divisor;
}

function factorOf(suffix: string): [up: bigint, down: bigint] {
  if (suffix.endsWith('i')) return [1024n ** BigInt(BINARY.indexOf(suffix)), 1n];
  const exponent = /^[eE].+/.test(suffix) ? Number(suffix.slice(1)) : (DECIMAL.indexOf(suffix) - 3) * 3;
  const factor = 10n ** BigInt(Math.abs(exponent));
  return exponent < 0 ? [1n, factor] : [factor, 1n];
}

function spell(value: bigint, suffix: string): string {
  if (value === 0n) return '0';
  if (suffix.endsWith('i') && value >= 1024n * NANOS && value % NANOS === 0n) return binaryText(value / NANOS);
  const [mantissa, thousands] = shorten(value, 1000n, DECIMAL.length - 1);
  if (/^[eE].+/.test(suffix)) return `${mantissa}${thousands === 3 ? '' : `e${(thousands - 3) * 3}`}`;
  return `${mantissa}${DECIMAL[thousands] ?? ''}`;
}

function binaryText(value: bigint): string {
  const [mantissa, steps] = shorten(value, 1024n, BINARY.length - 1);
  return `${mantissa}${BINARY[steps] ?? ''}`;
}

/** Divides by `base` as long as nothing is lost. */
function shorten(value: bigint, base: bigint, limit: number): [mantissa: bigint, steps: number] {
  let mantissa = value;
  let steps = 0;
  while (steps < limit && mantissa % base === 0n) {
    mantissa /= base;
    steps++;
  }
  return [mantissa, steps];
}
