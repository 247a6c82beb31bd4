import { fork } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { end, endWithUs } from '../process.ts'

/** The requests to the process with the fake assistant. */
export type Wish =
  | { readonly ask: 'server' }
  | { readonly ask: 'players'; readonly matches: readonly (readonly string[])[] }
  | ({ readonly ask: 'songs' } & Plan)
  | { readonly ask: 'report' }

/** When songs end that start from now on. */
export interface Plan {
  /** The end of the first match's songs, by the shared clock. */
  readonly at: number
  /** The time between the ends of one match and the next. */
  readonly everyMs: number
  /** The time within which all players of a match end. */
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
  /** When it was sent, by the shared clock. */
  readonly at: number
}

/** The numbers since the last report. */
export interface Report {
  /** The number of values. */
  readonly told: number
  readonly finishes: readonly Finish[]
  /** The processor time since the start of the process. */
  readonly processorMs: number
}

export type Reply = Report | Record<string, never>

export interface Games {
  readonly server: Server
  /** Connects the players of each match, given by platform ids, at the same time. */
  players(matches: readonly (readonly string[])[]): Promise<void>
  songs(plan: Plan): Promise<void>
  report(): Promise<Report>
  close(): Promise<void>
}

/** @param since the time from which values count, by the shared clock */
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
