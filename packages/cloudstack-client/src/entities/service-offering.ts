import { object, type Decode } from '../decode.ts';

export interface ServiceOffering {
  readonly id: string;
  readonly name: string;
  readonly displayText: string;
  /** Undefined for custom offerings. */
  readonly cpuNumber: number | undefined;
  /** Megabytes. Undefined for custom offerings. */
  readonly memory: number | undefined;
}

export const serviceOffering: Decode<ServiceOffering> = object((fields) => ({
  id: fields.text('id'),
  name: fields.text('name'),
  displayText: fields.optionalText('displaytext') ?? '',
  cpuNumber: fields.optionalInteger('cpunumber'),
  memory: fields.optionalInteger('memory'),
}));
