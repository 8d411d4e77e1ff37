/** What one line of a Go struct says about one JSON field. */
export interface GoField {
  /** Empty for an embedded struct whose fields appear at this level. */
  readonly jsonName: string;
  readonly type: string;
  readonly omitEmpty: boolean;
  readonly omitZero: boolean;
  /** The field's number in protobuf; empty where it has none. */
  readonly protobufNumber: string;
  readonly patchStrategy: readonly string[];
  readonly patchMergeKey: string | undefined;
  readonly markers: Markers;
}

/** The `+name=value` comments in front of a declaration. */
export type Markers = ReadonlyMap<string, readonly string[]>;

export interface GoType {
  readonly markers: Markers;
  /** The fields of a struct, or the type that a plain declaration names. */
  readonly definition: readonly GoField[] | string;
}

export interface GoFile {
  /** Import name to import path. */
  readonly imports: ReadonlyMap<string, string>;
  readonly types: ReadonlyMap<string, GoType>;
}

const IMPORT = /^\t(?:(\w+) )?"([^"]+)"$/;
const TYPE = /^type (\w+) (struct \{(\})?|.+)$/;
const FIELD = /^\t(?:(\w+) +)?([\w.*[\]]+) +`(.*)`/;

/** Reads the type declarations of one gofmt-formatted Kubernetes API file. */
export function parseGoTypes(source: string): GoFile {
  const imports = new Map<string, string>();
  const types = new Map<string, GoType>();
  let comments: string[] = [];
  let open: { fields: GoField[] } | undefined;
  for (const line of source.split('\n')) {
    const trimmed = line.trim();
    if (trimmed.startsWith('//')) comments.push(trimmed.slice(2).trim());
    else if (trimmed === '') comments = comments.filter((comment) => comment.startsWith('+'));
    else {
      const started = readLine(line, { imports, types, fields: open?.fields, markers: markersOf(comments) });
      if (started) open = { fields: started };
      else if (line === '}') open = undefined;
      comments = [];
    }
  }
  return { imports, types };
}

interface LineContext {
  readonly imports: Map<string, string>;
  readonly types: Map<string, GoType>;
  readonly fields: GoField[] | undefined;
  readonly markers: Markers;
}

/** Returns the list to fill when the line opens a struct. */
function readLine(line: string, { imports, types, fields, markers }: LineContext): GoField[] | undefined {
  const field = fields && FIELD.exec(line);
  if (field) {
    fields.push(fieldOf(field[2] ?? '', field[3] ?? '', markers));
    return undefined;
  }
  const imported = IMPORT.exec(line);
  if (imported?.[2]) imports.set(imported[1] ?? imported[2].split('/').at(-1) ?? '', imported[2]);
  const declared = TYPE.exec(line);
  if (!declared?.[1] || !declared[2]) return undefined;
  const started: GoField[] | undefined = declared[2].startsWith('struct') ? [] : undefined;
  types.set(declared[1], { markers, definition: started ?? declared[2] });
  return declared[3] ? undefined : started;
}

function fieldOf(type: string, tags: string, markers: Markers): GoField {
  const [jsonName = '', ...options] = tagOf(tags, 'json').split(',');
  return {
    jsonName,
    type,
    omitEmpty: options.includes('omitempty'),
    omitZero: options.includes('omitzero'),
    protobufNumber: tagOf(tags, 'protobuf').split(',')[1] ?? '',
    patchStrategy: tagOf(tags, 'patchStrategy').split(',').filter(Boolean),
    patchMergeKey: tagOf(tags, 'patchMergeKey') || undefined,
    markers,
  };
}

function tagOf(tags: string, name: string): string {
  return new RegExp(`(?:^| )${name}:"([^"]*)"`).exec(tags)?.[1] ?? '';
}

function markersOf(comments: readonly string[]): Markers {
  const markers = new Map<string, string[]>();
  for (const comment of comments) {
    const [, name, value = ''] = /^\+([\w:]+)(?:=(.*))?$/.exec(comment) ?? [];
    if (name) markers.set(name, [...(markers.get(name) ?? []), value]);
  }
  return markers;
}
