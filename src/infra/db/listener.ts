import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'

/**
 * Short messages between processes through the database (PostgreSQL: NOTIFY), on a separate connection that is opened
 * when it is first needed and reopened when it is lost. Messages sent meanwhile are lost.
 */
export interface ListenerOptions {
  readonly connection: pg.ClientConfig
  /** The connection's name in the database's list of connections. */
  readonly name?: string
  readonly onNotice: (channel: string, payload: string) => void
  /** Called after a reconnect, when messages may have been missed. */
  readonly onMissed: () => void
  readonly onError: (error: Error) => void
  readonly retryMs?: number
}

export interface Notice {
  readonly channel: string
  readonly payload: string
}

const retryMs = 1_000
/** Interval of pings, which detect a connection that was cut silently. */
const aliveMs = 10_000
const answerMs = 5_000
/** (SQLSTATE) The form of an error code of a refused statement, after which the connection can still be used. */
const sqlState = /^[\dA-Z]{5}$/

export class Listener {
  readonly #options: ListenerOptions
  readonly #channels = new Set<string>()
  #client: pg.Client | null = null
  #connecting: Promise<pg.Client | null> | null = null
  /** Whether a connection, or an attempt to connect, has failed. */
  #isLost = false
  readonly #closing = new AbortController()
  #alive: NodeJS.Timeout | undefined

  constructor(options: ListenerOptions) {
    this.#options = options
  }

  /** Listens to a channel; messages sent after this call are received. */
  listen(channel: string): void {
    this.#channels.add(channel)
    void this.ask(`listen ${channel}`)
  }

  unlisten(channel: string): void {
    this.#channels.delete(channel)
    void this.ask(`unlisten ${channel}`)
  }

  /** One transaction for all messages, because commits with notifications wait for each other. */
  notify(notices: readonly Notice[]): void {
    void this.ask('select pg_notify(channel, payload) from unnest($1::text[], $2::text[]) as told (channel, payload)', [
      notices.map(({ channel }) => channel),
      notices.map(({ payload }) => payload),
    ])
  }

  /** @returns null where there is no connection, where it is lost meanwhile, or where the statement fails */
  async ask<R extends pg.QueryResultRow>(text: string, values: readonly unknown[] = []): Promise<R[] | null> {
    if (this.#closing.signal.aborted) return null
    const connecting = this.#connect()
    // After a loss, statements do not wait for the next connection: it listens to all channels itself, and other
    // statements would be too late.
    if (this.#isLost) return null
    const client = await connecting
    if (client === null) return null
    try {
      return (await client.query<R>(text, [...values])).rows
    } catch (error) {
      this.#failed(client, error as Error)
      return null
    }
  }

  async close(): Promise<void> {
    this.#closing.abort()
    clearInterval(this.#alive)
    const client = await this.#connecting
    this.#client = null
    await client?.end()
  }

  #failed(client: pg.Client, error: Error): void {
    const { code } = error as { readonly code?: unknown }
    if (typeof code === 'string' && sqlState.test(code)) this.#options.onError(error)
    else this.#lose(client, error)
  }

  #lose(client: pg.Client, error: Error): void {
    if (this.#client !== client) return
    this.#client = null
    this.#connecting = null
    this.#isLost = true
    clearInterval(this.#alive)
    // The connection may not answer any more, not even to this.
    client.end().catch(() => {})
    if (this.#closing.signal.aborted) return
    this.#options.onError(error)
    void this.#connect()
  }

  #connect(): Promise<pg.Client | null> {
    this.#connecting ??= this.#retryUntilConnected()
    return this.#connecting
  }

  async #retryUntilConnected(): Promise<pg.Client | null> {
    const { onError, onMissed } = this.#options
    const { signal } = this.#closing
    while (!signal.aborted) {
      try {
        const client = await this.#open()
        this.#client = client
        this.#alive = setInterval(() => this.#ask(client), aliveMs).unref()
        if (this.#isLost) {
          this.#isLost = false
          onMissed()
        }
        return client
      } catch (error) {
        this.#isLost = true
        onError(error as Error)
        await wait(this.#options.retryMs ?? retryMs, undefined, { signal, ref: false }).catch(() => {})
      }
    }
    return null
  }

  async #open(): Promise<pg.Client> {
    const client = new pg.Client({
      ...this.#options.connection,
      application_name: this.#options.name ?? 'downbeat bus',
      pipeline: true,
      connectionTimeoutMillis: answerMs,
      query_timeout: answerMs,
      // Nothing durable depends on these messages, so their commits need not wait for the disk.
      options: '-c synchronous_commit=off',
    })
    client.on('notification', ({ channel, payload = '' }) => this.#options.onNotice(channel, payload))
    client.on('error', (error) => this.#lose(client, error))
    client.on('end', () => this.#lose(client, new Error('the connection of the bus has ended')))
    await client.connect()
    try {
      for (const channel of this.#channels) await client.query(`listen ${channel}`)
    } catch (error) {
      client.end().catch(() => {})
      throw error
    }
    return client
  }

  #ask(client: pg.Client): void {
    client.query('select 1').catch((error: Error) => this.#failed(client, error))
  }
}
