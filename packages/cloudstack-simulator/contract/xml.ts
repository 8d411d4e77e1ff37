/** What XML answers are made of: an element is an object of its children, or its text. Repeated children are a list. */
export type XmlValue = string | readonly XmlValue[] | { readonly [name: string]: XmlValue };

const ELEMENT = /<([\w-]+)((?: [\w-]+="[^"]*")*)>((?:(?!<\1[ >])[\s\S])*?)<\/\1>/g;

/** Reads the plain XML of the API (elements, one attribute at the root, text) so that it compares as JSON does. */
export function parseXml(text: string): XmlValue {
  return children(text.replace(/^<\?xml[^>]*\?>/, ''));
}

function children(text: string): XmlValue {
  const elements = [...text.matchAll(ELEMENT)];
  if (elements.length === 0) return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
  const groups = Map.groupBy(elements, ([, name]) => name ?? '');
  return Object.fromEntries(
    [...groups].flatMap(([name, group]): [string, XmlValue][] => {
      const values = group.map(([, , , inner]) => children(inner ?? ''));
      const attributes = group[0]?.[2] ?? '';
      const [first] = values;
      const value = values.length === 1 && first !== undefined ? first : values;
      return attributes
        ? [
            [name, value],
            [`${name} attributes`, attributes],
          ]
        : [[name, value]];
    }),
  );
}
