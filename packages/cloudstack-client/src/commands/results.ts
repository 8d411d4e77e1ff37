import { asRecord, isTrue, type Decode } from '../decode.ts';
import { DecodeError } from '../errors.ts';

/** Reads a job's result `{<key>: <object>}`. */
export function under<T>(key: string, decode: Decode<T>): Decode<T> {
  return (value, path) => decode(asRecord(value, path)[key], `${path}.${key}`);
}

/** Reads a job's result `{success: true}`. */
export const success: Decode<void> = (value, path) => {
  if (!isTrue(asRecord(value, path)['success'])) throw new DecodeError(`${path}.success`, 'is not true');
};
