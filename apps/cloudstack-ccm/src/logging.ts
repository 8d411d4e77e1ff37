import {
  createLogger,
  jsonSink,
  klogSink,
  type Logger,
  readVmodule,
  type LogSink,
  type Verbosity,
} from '@cloudstack-ccm/base';
import type { Options } from '@cloudstack-ccm/cloud-controllers';
import { sourceOf } from './source-of.ts';

type Write = (text: string) => void;

/** The log as the flags want it: klog text or JSON, on stderr, or split between stdout and stderr. */
export function openLog({ global }: Options, verbosity: Verbosity, stdout: Write, stderr: Write): Logger {
  const json = global.loggingFormat === 'json';
  const split = json ? global.jsonSplitStream : global.textSplitStream;
  const open = (write: Write): LogSink => (json ? jsonSink(write) : klogSink(write));
  const errors = open(stderr);
  const infos = split ? open(stdout) : errors;
  const sink: LogSink = (record) => (record.severity === 'info' ? infos : errors)(record);
  const files = json ? undefined : readVmodule(global.vmodule);
  const fileVerbosity = files && ((caller: string) => files(sourceOf(caller)));
  return createLogger({ sink, verbosity, now: () => Date.now(), fileVerbosity });
}
