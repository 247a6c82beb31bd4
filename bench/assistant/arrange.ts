import { setTimeout as wait } from 'node:timers/promises'
import { makeField, reportsOf } from '../brackets.ts'
import type { Service } from '../service.ts'
import { makePlayer, type Player } from '../world.ts'
import type { Games } from './server.ts'

/** Creates matches that are played through sessions of the assistant. */

const membersOfTeam = 4
const patienceMs = 60_000

export interface PlayedMatch {
  readonly guid: string
  /** The path of its session. */
  readonly path: string
  /** The topic of its live values. */
  readonly topic: string
  readonly players: readonly { readonly guid: string; readonly platformId: string }[]
}

export interface Stage {
  readonly organiser: Player
  readonly tournament: string
  readonly matches: readonly PlayedMatch[]
}

/** Creates teams of four with verified accounts, and `count` matches that may start. */
export async function makeStage({ url, runtime }: Service, count: number): Promise<Stage> {
  const organiser = await makePlayer(runtime)
  const field = await makeField({ url, runtime }, organiser, 1)
  const reports = (await reportsOf({ url, runtime }, field, field.brackets[0] ?? '')).slice(0, count)
  const { tournament } = field
  const { pool } = runtime.database
  await pool.query(
    `with made as (
       insert into users (chat_platform_id, username, preferred_name, avatar_url)
       select '8100000000' || n, 'member' || n, 'member' || n, '' from generate_series(1, $2::int) as n
       returning guid, substring(username from 7)::int as n
     ), placed as (
       select guid as team, row_number() over () as place from unnest($1::uuid[]) as guid
     )
     insert into team_members (team_guid, tournament_guid, user_guid)
     select team, $3, made.guid from made join placed on place = 1 + (n - 1) / $4::int`,
    [
      reports.flatMap(({ match }) => [match.team1Guid, match.team2Guid]),
      ...[2 * count * (membersOfTeam - 1), tournament, membersOfTeam - 1],
    ],
  )
  await pool.query(
    `insert into identities (user_guid, platform, external_id, verified_at)
     select user_guid, 'ranking-a', '7656' || row_number() over (), now() from team_members where tournament_guid = $1`,
    [tournament],
  )
  const { rows } = await pool.query<{ team: string; guid: string; platform: string }>(
    `select team_guid as team, user_guid as guid, external_id as platform from team_members
     join identities using (user_guid) where tournament_guid = $1`,
    [tournament],
  )
  const matches = reports.map(({ match: { guid, team1Guid, team2Guid } }): PlayedMatch => {
    const topic = `/tournaments/${tournament}/matches/${guid}/live`
    const players = rows
      .filter(({ team }) => team === team1Guid || team === team2Guid)
      .map((row) => ({ guid: row.guid, platformId: row.platform }))
    return { guid, path: `/tournaments/${tournament}/matches/${guid}/assistant`, topic, players }
  })
  return { organiser, tournament, matches }
}

/** A user who operates all matches over HTTP. */
export class Operator {
  readonly #url: string
  readonly #token: string

  constructor(url: string, { token }: Player) {
    this.#url = url
    this.#token = token
  }

  /** @throws Error for a refused request */
  async call(method: 'GET' | 'POST' | 'PUT', path: string, body?: object): Promise<{ readonly phase?: string }> {
    const response = await fetch(`${this.#url}/api${path}`, {
      method,
      headers: { authorization: `Bearer ${this.#token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    if (!response.ok) throw new Error(`${path} was answered ${response.status}: ${await response.text()}`)
    return (await response.json()) as { phase?: string }
  }

  /** Links the tournament to the fake. */
  async link(tournament: string, { host, port, fingerprint, tournament: assistantTournament }: Games['server']) {
    const address = { host, port, tls: true, certificate: fingerprint }
    const body = { ...address, assistantTournament, tokenKind: 'own', enabled: true }
    await this.call('PUT', `/tournaments/${tournament}/assistant`, body)
  }

  /** Opens the session of a match, and waits until all players have the map. */
  async prepare({ path }: PlayedMatch): Promise<void> {
    await this.call('POST', path)
    await this.#until(path, 'ready')
    await this.#control(path)
    const map = { hash: 'a'.repeat(40), characteristic: 'Standard', difficulty: 'ExpertPlus' }
    await this.call('PUT', `${path}/map`, map)
    await this.call('POST', `${path}/load`)
    await this.#until(path, 'loaded')
  }

  /** Resolves once all players play. */
  async play({ path }: PlayedMatch): Promise<void> {
    await this.#control(path)
    await this.call('POST', `${path}/play`, { mode: 'now' })
  }

  async #control(path: string): Promise<void> {
    await this.call('POST', `${path}/control`, { action: 'take' })
  }

  async #until(path: string, phase: string): Promise<void> {
    const until = performance.now() + patienceMs
    for (;;) {
      const now = await this.call('GET', path)
      if (now.phase === phase) return
      if (performance.now() > until) throw new Error(`${path} is ${now.phase} and not ${phase}`)
      await wait(250)
    }
  }
}
