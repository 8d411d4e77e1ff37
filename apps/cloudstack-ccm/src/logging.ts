import { createLogger, jsonSink, klogSink, type Logger, type LogSink, type Verbosity } from '@cloudstack-ccm/base';
import type { Options } from '@cloudstack-ccm/cloud-controllers';
import type { Streams } from './streams.ts';

/** The log that the flags ask for: to stderr, info lines to stdout when the streams are split. */
export function openLog(
  options: Options,
  { out, err }: Streams,
): { readonly log: Logger; readonly verbosity: Verbosity } {
  const { loggingFormat, textSplitStream, jsonSplitStream, verbosity: level } = options.global;
  const json = loggingFormat === 'json';
  const format = json ? jsonSink : klogSink;
  const split = json ? jsonSplitStream : textSplitStream;
  const errors = format(err);
  const sink = split ? splitSink(format(out), errors) : errors;
  const verbosity = { level };
  return { log: createLogger({ sink, verbosity, now: () => Date.now() }), verbosity };
}

function splitSink(infos: LogSink, errors: LogSink): LogSink {
  return (record) => (record.severity === 'info' ? infos : errors)(record);
}
