/** What each stickiness method takes. A flag is on by being there, whatever its value. */
export interface StickinessMethod {
  readonly name: string;
  readonly description: string;
  readonly parameters: readonly StickinessParameter[];
}

interface StickinessParameter {
  readonly name: string;
  readonly isFlag: boolean;
  /** The form a value must have, and the words for it. */
  readonly format?: { readonly pattern: RegExp; readonly words: string };
}

const TIME = { pattern: /^\d+[dhms]$/, words: 'timeformat' };
const SIZE = { pattern: /^\d+[km]$/i, words: 'size format' };
const NUMBER = { pattern: /^\d+$/, words: 'number format' };
const TIME_OR_NUMBER = { pattern: /^\d+[dhms]?$/, words: 'timeformat' };

function plain(name: string, format?: StickinessParameter['format']): StickinessParameter {
  return { name, isFlag: false, ...(format && { format }) };
}

function flag(name: string): StickinessParameter {
  return { name, isFlag: true };
}

export const STICKINESS_METHODS: readonly StickinessMethod[] = [
  {
    name: 'LbCookie',
    description: 'This is loadbalancer cookie based stickiness method.',
    parameters: [
      plain('cookie-name'),
      plain('mode'),
      flag('nocache'),
      flag('indirect'),
      flag('postonly'),
      plain('domain'),
    ],
  },
  {
    name: 'AppCookie',
    description:
      'This is App session based sticky method. Define session stickiness on an existing application cookie. It can be used only for a specific http traffic',
    parameters: [
      plain('cookie-name'),
      plain('length', NUMBER),
      plain('holdtime', TIME_OR_NUMBER),
      flag('request-learn'),
      flag('prefix'),
      plain('mode'),
    ],
  },
  {
    name: 'SourceBased',
    description: 'This is source based Stickiness method, it can be used for any type of protocol.',
    parameters: [plain('tablesize', SIZE), plain('expire', TIME)],
  },
];
