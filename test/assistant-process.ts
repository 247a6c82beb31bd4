import pg from 'pg'
import type { Caller, Harness } from './harness.ts'
import type { Env } from './kernel/service.ts'

/**
 * Matches that are prepared in the test's process and played in other processes; the test's process then holds no
 * session.
 */

export interface ProcessAnswer {
  readonly status: number
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: answers are read in tests as JSON, whose form the contract tests check.
  readonly body: any
}

export interface Left extends AsyncDisposable {
  /** The environment for `startService`. */
  readonly env: Env
  readonly databaseName: string
  /** Runs SQL directly. */
  sql<T extends object = Record<string, unknown>>(text: string, values?: unknown[]): Promise<T[]>
}

/**
 * Closes the service of a harness, and leaves its database to other processes. Give its keys to fakes first, because
 * nothing publishes them afterwards.
 */
export async function leaveToProcesses({ app }: Harness): Promise<Left> {
  const { databaseUrl, dataDir, publicUrl } = app.config
  await app.close()
  const client = new pg.Client({ connectionString: databaseUrl ?? '' })
  client.on('error', () => {})
  await client.connect()
  return {
    env: {
      DATABASE_URL: databaseUrl ?? '',
      DATA_DIR: dataDir,
      PUBLIC_URL: publicUrl,
      WEBHOOK_ALLOW_PRIVATE: 'true',
      RATE_LIMITS: 'off',
    },
    databaseName: new URL(databaseUrl ?? '').pathname.slice(1),
    sql: async (text, values = []) => (await client.query(text, values)).rows,
    [Symbol.asyncDispose]: () => client.end(),
  }
}

/** @param path relative to `/api` */
export async function callProcess(
  { url }: { readonly url: string },
  method: string,
  path: string,
  as: Caller | null,
  body?: object,
): Promise<ProcessAnswer> {
  const reply = await fetch(`${url}/api${path}`, {
    method,
    headers: {
      ...(as === null ? {} : { authorization: `Bearer ${as.token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await reply.text()
  const isJson = /[/+]json\b/.test(reply.headers.get('content-type') ?? '')
  return { status: reply.status, text, body: isJson && text !== '' ? JSON.parse(text) : null }
}
