/** What a document is made of. Never changed in place. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: Json | undefined;
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** As people like to read it under version control: two spaces, lists of numbers on one line. */
export function documentText(value: Json): string {
  const plain = (item: unknown): boolean => !isObject(item) && (!Array.isArray(item) || item.every(plain));
  const write = (item: Json | undefined, indent: string): string => {
    if (Array.isArray(item) && plain(item)) return `[${item.map((each) => write(each, indent)).join(', ')}]`;
    if (plain(item)) return JSON.stringify(item ?? null);
    const inner = `${indent}  `;
    if (Array.isArray(item)) return `[\n${item.map((each) => inner + write(each, inner)).join(',\n')}\n${indent}]`;
    const entries = Object.entries(item as JsonObject).filter(([, each]) => each !== undefined);
    if (entries.length === 0) return '{}';
    return `{\n${entries.map(([key, each]) => `${inner}${JSON.stringify(key)}: ${write(each, inner)}`).join(',\n')}\n${indent}}`;
  };
  return `${write(value, '')}\n`;
}
