import { boolFlag, durationFlag, flag, InvalidInputError, stringFlag, type FlagType } from '@cloudstack-ccm/base';

const QUANTITY = /^\d+(\.\d+)?(m|k|Ki|M|Mi|G|Gi|T|Ti|P|Pi|E|Ei)?$/;

const quantityType: FlagType<string> = {
  name: 'quantity',
  parse(text) {
    if (QUANTITY.test(text)) return text;
    throw new InvalidInputError(
      "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
    );
  },
  format: (value) => value,
};

/** klog's verbosity: 0 always, 1 configuration, 2 steady state, 4 debug, 6 requests, 8 bodies. */
const levelType: FlagType<number> = {
  name: 'Level',
  parse(text) {
    if (/^\d{1,9}$/.test(text)) return Number(text);
    throw new InvalidInputError(`strconv.ParseUint: parsing ${JSON.stringify(text)}: invalid syntax`);
  },
  format: String,
};

const PATTERN = /^[^=,]+=\d{1,9}$/;

const vmoduleType: FlagType<string> = {
  name: 'pattern=N,...',
  parse(text) {
    const bad = text.split(',').some((item) => item !== '' && !PATTERN.test(item));
    if (bad) throw new InvalidInputError('syntax error: expect comma-separated list of filename=N');
    return text;
  },
  format: (value) => value,
};

const ALPHA = '[Alpha] Needs the feature gate LoggingAlphaOptions.';

export const loggingFlags = {
  logFlushFrequency: durationFlag(
    'log-flush-frequency',
    5000,
    'Maximum number of seconds between log flushes. Lines are written at once here.',
  ),
  jsonInfoBufferSize: flag(
    quantityType,
    'log-json-info-buffer-size',
    '0',
    `${ALPHA} Buffer size of info lines in JSON format. Lines are written at once here.`,
  ),
  jsonSplitStream: boolFlag(
    'log-json-split-stream',
    false,
    `${ALPHA} In JSON format, write error lines to stderr and info lines to stdout.`,
  ),
  textInfoBufferSize: flag(
    quantityType,
    'log-text-info-buffer-size',
    '0',
    `${ALPHA} Buffer size of info lines in text format. Lines are written at once here.`,
  ),
  textSplitStream: boolFlag(
    'log-text-split-stream',
    false,
    `${ALPHA} In text format, write error lines to stderr and info lines to stdout.`,
  ),
  loggingFormat: stringFlag(
    'logging-format',
    'text',
    'Sets the log format. Permitted formats: "json" (gated by LoggingBetaOptions), "text".',
  ),
  verbosity: flag(levelType, 'v', 0, 'number for the log level verbosity', { shorthand: 'v' }),
  vmodule: flag(
    vmoduleType,
    'vmodule',
    '',
    'comma-separated list of pattern=N settings for file-filtered logging (only works for text log format). ' +
      'Files are those of this program, such as node-initializer=4,*-client=6.',
  ),
};
