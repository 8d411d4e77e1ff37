/** Values that go with a log line. Secrets show as `<redacted>` by their type. */
export type Fields = Readonly<Record<string, unknown>>;

/**
 * Where log lines go: klog text or component-base JSON, see `klog.ts` and `json-log.ts`.
 * Verbosity as Kubernetes uses it: 0 always, 1 configuration, 2 steady state changes, 4 debug, 6 requests, 8 bodies.
 */
export interface Logger {
  /** A line at verbosity 0. */
  info(message: string, fields?: Fields): void;
  warn(message: string, fields?: Fields): void;
  error(message: string, error: unknown, fields?: Fields): void;
  /** A line that shows only at `-v=<level>` and above. */
  debug(level: number, message: string, fields?: Fields): void;
  /** True if lines of this verbosity show: ask before building something costly. */
  enabled(level: number): boolean;
  /** A logger whose lines all carry these fields. */
  with(fields: Fields): Logger;
}

export type Severity = 'info' | 'warning' | 'error' | 'fatal';

export interface LogRecord {
  readonly time: number;
  readonly severity: Severity;
  readonly verbosity: number;
  readonly message: string;
  readonly error?: unknown;
  readonly fields: Fields;
  /** `file.ts:line` of the call, as klog prints it. */
  readonly caller: string;
}

export type LogSink = (record: LogRecord) => void;

/** The verbosity in force; `PUT /debug/flags/v` changes it while the process runs. */
export interface Verbosity {
  level: number;
}

interface LoggerOptions {
  readonly sink: LogSink;
  readonly verbosity: Verbosity;
  readonly now: () => number;
  readonly fields?: Fields;
  /**
   * The verbosity of the file that a call comes from (`file.ts:line`), where that is more than the usual one; undefined
   * for no more. Looking for the caller costs time, so leave it out when no file has one.
   */
  readonly fileVerbosity?: ((caller: string) => number | undefined) | undefined;
}

export function createLogger(options: LoggerOptions): Logger {
  const { sink, verbosity, now, fields: own = {}, fileVerbosity } = options;
  const enabled = (level: number): boolean =>
    level <= verbosity.level || (fileVerbosity !== undefined && level <= (fileVerbosity(caller()) ?? -1));
  const write = (severity: Severity, level: number, message: string, fields?: Fields, error?: unknown): void => {
    const record = {
      time: now(),
      severity,
      verbosity: level,
      message,
      fields: { ...own, ...fields },
      caller: caller(),
    };
    sink(error === undefined ? record : { ...record, error });
  };
  return {
    info: (message, fields) => write('info', 0, message, fields),
    warn: (message, fields) => write('warning', 0, message, fields),
    error: (message, error, fields) => write('error', 0, message, fields, error),
    debug: (level, message, fields) => {
      if (enabled(level)) write('info', level, message, fields);
    },
    // With a frame of its own, so that its caller is as far away as that of the other methods.
    enabled: (level) => {
      return enabled(level);
    },
    with: (fields) => createLogger({ ...options, fields: { ...own, ...fields } }),
  };
}

/** A logger that drops everything, for code under test whose lines do not matter. */
export const silentLogger: Logger = createLogger({ sink: () => undefined, verbosity: { level: -1 }, now: () => 0 });

const FRAME = /([^/\\(]+:\d+):\d+\)?$/;

/** The first stack frame outside this file. A bundle has one file: there the line still tells where. */
function caller(): string {
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = 5;
  const frames = new Error().stack?.split('\n') ?? [];
  Error.stackTraceLimit = limit;
  return FRAME.exec(frames[4] ?? frames.at(-1) ?? '')?.[1] ?? 'unknown:0';
}
