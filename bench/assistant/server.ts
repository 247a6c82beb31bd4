import { fork } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { end, endWithUs } from '../process.ts'

/** What the process with the fake assistant is asked for. */
export type Wish =
  | { readonly ask: 'server' }
  | { readonly ask: 'players'; readonly matches: readonly (readonly string[])[] }
  | ({ readonly ask: 'songs' } & Plan)
  | { readonly ask: 'report' }

/** When songs end that are begun from now on. */
export interface Plan {
  /** Those of the first match, by the shared clock. */
  readonly at: number
  /** Those of the next one after that. */
  readonly everyMs: number
  /** Within which all players of a match end. */
  readonly apartMs: number
}

export interface Server {
  readonly host: string
  readonly port: number
  readonly fingerprint: string
  readonly tournament: { readonly guid: string; readonly name: string }
}

/** The end of a player's song. */
export interface Finish {
  readonly platformId: string
  /** When it was told, by the shared clock. */
  readonly at: number
}

/** Since the last one. */
export interface Report {
  /** Number of values. */
  readonly told: number
  readonly finishes: readonly Finish[]
  /** That it has taken in all. */
  readonly processorMs: number
}

export type Reply = Report | Record<string, never>

export interface Games {
  readonly server: Server
  /** Platform ids of the players of each match, who connect at once. */
  players(matches: readonly (readonly string[])[]): Promise<void>
  songs(plan: Plan): Promise<void>
  report(): Promise<Report>
  close(): Promise<void>
}

/** @param since values are times since then, by the shared clock */
export async function startGames(jwks: string, since: number): Promise<Games> {
  const child = fork(path.join(import.meta.dirname, 'games.ts'), [jwks, String(since)])
  endWithUs(child)
  const ask = async <T>(wish: Wish): Promise<T> => {
    const answered = once(child, 'message')
    child.send(wish)
    const [reply] = await answered
    return reply as T
  }
  return {
    server: await ask<Server>({ ask: 'server' }),
    players: (matches) => ask({ ask: 'players', matches }),
    songs: (plan) => ask({ ask: 'songs', ...plan }),
    report: () => ask<Report>({ ask: 'report' }),
    close: () => end(child, 'SIGTERM'),
  }
}
