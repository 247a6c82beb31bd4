import type { Left } from './assistant-process.ts'

/**
 * Searches for secrets where they must not be: in everything that was sent to anybody, and in everything that is
 * stored.
 */

export class Told {
  readonly #texts: { readonly where: string; readonly text: string }[] = []

  add(where: string, text: string): void {
    this.#texts.push({ where, text })
  }

  get size(): number {
    return this.#texts.length
  }

  /** The places that contain one of the secrets. */
  find(secrets: readonly string[]): string[] {
    const found = this.#texts.filter(({ text }) => secrets.some((secret) => text.includes(secret)))
    return [...new Set(found.map(({ where }) => where))]
  }
}

const tables = `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
  where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`

/** Tables with a row that contains one of the secrets in any column, also as bytes. */
export async function tablesWith({ sql }: Pick<Left, 'sql'>, secrets: readonly string[]): Promise<string[]> {
  const forms = secrets.flatMap((secret) => [secret, Buffer.from(secret).toString('hex')])
  const found: string[] = []
  for (const { name } of await sql<{ name: string }>(tables)) {
    const holds = `select from ${name} t where (select bool_or(strpos(t::text, s) > 0) from unnest($1::text[]) s) limit 1`
    if ((await sql(holds, [forms])).length > 0) found.push(name)
  }
  return found
}

/** The part that identifies a token: its signature, which occurs nowhere else. */
export function tellingPart(token: string): string {
  return token.split('.')[2] ?? token
}
