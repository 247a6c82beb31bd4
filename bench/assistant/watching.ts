import { readdir, readFile } from 'node:fs/promises'
import os from 'node:os'
import pg from 'pg'
import { type LightSocket, loopback, openLight, openMany } from '../realtime/sockets.ts'
import type { Service } from '../service.ts'
import type { Stage } from './arrange.ts'
import { sharedMs } from './clock.ts'
import type { Finish, Games } from './server.ts'

const updatesPerSecond = 10

/** Followers of live values, one for each match, which measure the delay of each value. */
export class Followers {
  readonly delays: number[] = []
  isCounting = false
  readonly #since: number
  /** The last value of each player, because values are also sent again unchanged. */
  readonly #shown = new Map<string, number>()
  #sockets: readonly LightSocket[] = []

  /** @param since the time from which values count */
  constructor(since: number) {
    this.#since = since
  }

  async open(port: number, { matches }: Stage): Promise<void> {
    const onMessage = (text: string) => this.#read(text)
    this.#sockets = await openMany(matches.length, async (index) => {
      const socket = await openLight({ port, from: loopback(index), onMessage })
      socket.send({ type: 'subscribe', topic: matches[index]?.topic, rate: updatesPerSecond })
      return socket
    })
  }

  close(): void {
    for (const socket of this.#sockets) socket.close()
  }

  #read(text: string): void {
    if (!text.startsWith('{"type":"state"')) return
    const now = sharedMs() - this.#since
    for (const [, player = '', score] of text.matchAll(/"player:([\da-f-]+)":\{"score":(\d+)/g)) {
      const at = Number(score)
      if (at <= (this.#shown.get(player) ?? 0)) continue
      this.#shown.set(player, at)
      if (this.isCounting) this.delays.push(now - at / 10)
    }
  }
}

/** Reads the proposals in the database after each commit that notifies the processes of the service. */
export class Proposals {
  /** When the result of a player first appeared in a proposal, by user. */
  readonly seen = new Map<string, number>()
  readonly #client: pg.Client
  readonly #tournament: string
  /** The proposals with the results of all players. */
  readonly #whole = new Set<string>()
  /** The proposals of earlier songs. */
  #known: ReadonlySet<string> = new Set()
  #isLooking = false
  #isWanted = false

  constructor({ runtime }: Service, { tournament }: Stage) {
    this.#client = new pg.Client(runtime.connection)
    this.#tournament = tournament
  }

  async open(): Promise<void> {
    await this.#client.connect()
    this.#client.on('notification', ({ payload = '' }) => {
      if (payload === '' || payload.includes('assistant.proposal_made')) this.#want()
    })
    await this.#client.query('listen events')
  }

  /** Forgets the seen results; proposals of earlier songs are ignored from now on. */
  forget(): void {
    this.seen.clear()
    this.#known = new Set([...this.#known, ...this.#whole])
    this.#whole.clear()
  }

  /** The number of complete proposals. */
  get count(): number {
    return this.#whole.size
  }

  async close(): Promise<void> {
    await this.#client.end()
  }

  /** Milliseconds from the end of each song until its result was in a proposal. */
  delaysOf({ matches }: Stage, finishes: readonly Finish[]): number[] {
    const users = new Map(matches.flatMap(({ players }) => players.map(({ platformId, guid }) => [platformId, guid])))
    return finishes.map(({ platformId, at }) => (this.seen.get(users.get(platformId) ?? '') ?? Number.NaN) - at)
  }

  #want(): void {
    this.#isWanted = true
    if (!this.#isLooking) void this.#look()
  }

  async #look(): Promise<void> {
    this.#isLooking = true
    while (this.#isWanted) {
      this.#isWanted = false
      const { rows } = await this.#client.query<{ guid: string; status: string; users: string[] | null }>(
        `select guid, status, (select array_agg(p ->> 'userGuid') from jsonb_array_elements(players) as p) as users
         from game_proposals where tournament_guid = $1 and guid <> all ($2::uuid[])`,
        [this.#tournament, [...this.#known, ...this.#whole]],
      )
      const now = sharedMs()
      for (const { guid, status, users } of rows) {
        for (const user of users ?? []) if (!this.seen.has(user)) this.seen.set(user, now)
        if (status === 'proposed') this.#whole.add(guid)
      }
    }
    this.#isLooking = false
  }
}

/** The rows inserted, updated or deleted so far, by table. A backend reports them at most ten seconds later. */
export async function rowsWritten({ runtime }: Service): Promise<ReadonlyMap<string, number>> {
  const { rows } = await runtime.database.pool.query<{ name: string; written: string }>(
    'select relname as name, n_tup_ins + n_tup_upd + n_tup_del as written from pg_stat_user_tables',
  )
  return new Map(rows.map(({ name, written }) => [name, Number(written)]))
}

/** How much of one processor each process has used since the call. */
export async function processorShares(service: Service, games: Games): Promise<() => Promise<string>> {
  const look = async () => ({
    at: performance.now(),
    service: await service.process.processorMs(),
    database: await databaseMs(service),
    games: (await games.report()).processorMs,
    bench: (process.cpuUsage().user + process.cpuUsage().system) / 1_000,
    all: os.cpus().reduce((all, { times }) => all + times.user + times.nice + times.sys + times.irq, 0),
  })
  const before = await look()
  return async () => {
    const now = await look()
    const share = (name: keyof typeof now) => Math.round((100 * (now[name] - before[name])) / (now.at - before.at))
    const [ours, database, fake, bench] = [share('service'), share('database'), share('games'), share('bench')]
    const others = share('all') - ours - database - fake - bench
    return `of a core the service has ${ours} %, its database ${database} %, the fake ${fake} %, the followers ${bench} %, others ${others} %`
  }
}

/**
 * The processor time of the embedded database: its first process and the processes that it started. (proc_pid_stat(5))
 */
async function databaseMs({ runtime }: Service): Promise<number> {
  const { rows } = await runtime.database.pool.query<{ directory: string }>(
    `select current_setting('data_directory') as directory`,
  )
  const first = (await readFile(`${rows[0]?.directory}/postmaster.pid`, 'utf8')).split('\n')[0]
  const ticks = (await readdir('/proc')).map(async (pid) => {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return pid === first || fields[1] === first ? Number(fields[11]) + Number(fields[12]) : 0
  })
  return 10 * (await Promise.all(ticks)).reduce((all, one) => all + one, 0)
}
