import { anonymous } from '../src/core/actor.ts'
import { readWholeBracket } from '../src/features/brackets/brackets/queries.ts'
import { findBracket } from '../src/features/brackets/brackets/store/brackets.ts'
import { readTree } from '../src/features/overlays/overlayData/queries/tree.ts'
import { findTournamentFor } from '../src/features/tournaments/tournaments/store/tournaments.ts'
import { during, inTurns, loop } from './load.ts'
import { makePool } from './pools.ts'
import { type Row, ratio, told } from './report.ts'
import type { Service } from './service.ts'
import { makeEntrants, makePlayer, makeTournaments, type Player } from './world.ts'

const teams = 128
const mapsOfPool = 30
const seconds = 2

type Access = Pick<Service, 'url' | 'runtime'>

/**
 * Builds the overlay tree of a large tournament in which all matches but one were played by a flow. Compared with the
 * read of its bracket, which every viewer makes; both without HTTP.
 */
export async function overlayTrees({ url, runtime }: Access): Promise<Row[]> {
  const field = await makeField({ url, runtime })
  const { db } = runtime.database
  const [bracket, seen] = await Promise.all([
    findBracket(db, field.bracket),
    findTournamentFor(db, field.tournament, null),
  ])
  if (bracket === undefined || seen === undefined) throw new Error('what was made is gone')
  const { tournament } = seen
  const asked = {
    tournament,
    matchGuid: field.match,
    swapSides: false,
    highlighted: [],
    publicUrl: url,
    now: new Date(),
  }
  const depends = Object.assign(() => {}, { until: () => {} })
  const tree = () => readTree(db, { ...asked, isLate: true }, depends)
  const each = (work: () => Promise<unknown>) => () =>
    loop(
      during(seconds, () => work),
      1,
    )
  const measured = await inTurns(
    each(tree),
    each(() => readWholeBracket(db, bracket, anonymous)),
  )
  const bytes = JSON.stringify(await tree()).length
  return [
    ratio(
      `data tree of an overlay, ${teams} teams, ${field.maps} maps played, not remembered`,
      'the bracket with its matches, not remembered, by the statements of its read',
      measured,
      0.25,
    ),
    told(
      'the same',
      'how long, and how much',
      `${(1_000 / measured.ours).toFixed(1)} ms`,
      `${Math.round(bytes / 1_000)} kB`,
    ),
  ]
}

interface Field {
  readonly tournament: string
  readonly bracket: string
  /** The running match. */
  readonly match: string
  readonly maps: number
}

// biome-ignore lint/suspicious/noExplicitAny: answers are read as JSON, whose form the contract tests check.
type Body = any

async function makeField({ url, runtime }: Access): Promise<Field> {
  const { pool: database } = runtime.database
  const organiser = await makePlayer(runtime)
  const [tournament = ''] = await makeTournaments(runtime, organiser.guid, 1)
  const entries = await makeEntrants(runtime, tournament, teams)
  await database.query(
    `update teams set status = 'registered', registered_at = now(), seed = place
     from unnest($1::uuid[]) with ordinality as entry (team, place) where guid = team`,
    [entries.map(({ team }) => team)],
  )
  const path = `${url}/api/tournaments/${tournament}`
  const call = (method: string, address: string, body: unknown) => send(method, path + address, organiser, body)
  const division = await call('POST', '/divisions', { name: 'Main' })
  const bracket = await call('POST', `/divisions/${division.guid}/brackets`, {
    name: 'Playoffs',
    format: 'double_elimination',
    settings: { bestOf: 3 },
    entrants: { source: 'registered' },
  })
  const pool = await makePool({ runtime }, tournament, mapsOfPool)
  const [first, second] = bracket.matches.filter(({ status }: Body) => status === 'ready')
  await play(call, first, pool)
  await playOut(call, bracket.guid, second.guid)
  await copySession({ runtime }, first.guid)
  await call('POST', `/matches/${second.guid}/flow`, { flowGuid: 'accsaber-bo3', poolGuid: pool })
  await qualify({ runtime }, tournament)
  await database.query(
    'vacuum (analyze) matches, brackets, bracket_entrants, flow_sessions, flow_rows, qualifier_attempts',
  )
  const { rows } = await database.query<{ maps: number }>(
    'select sum(jsonb_array_length(games))::int as maps from matches where tournament_guid = $1',
    [tournament],
  )
  return { tournament, bracket: bracket.guid, match: second.guid, maps: rows[0]?.maps ?? 0 }
}

type Call = (method: string, address: string, body: unknown) => Promise<Body>

async function send(method: string, address: string, { token }: Player, body: unknown): Promise<Body> {
  const response = await fetch(address, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`${address} was answered ${response.status}: ${await response.text()}`)
  return response.json()
}

/** Plays a whole session; the better accuracy has the better score. */
async function play(call: Call, match: Body, pool: string): Promise<void> {
  let state = await call('POST', `/matches/${match.guid}/flow`, { flowGuid: 'accsaber-bo3', poolGuid: pool })
  const path = `/flow-sessions/${state.session}`
  for (let turn = 0; state.status === 'running' && turn < 100; turn += 1) {
    const { position: expect, phase } = state
    if (phase === 'playing') {
      const scores = state.seats.map(({ speakers }: Body, index: number) => ({
        user: speakers[0].guid,
        score: 900_000 - index * 1_000,
        accuracy: 0.95 - index / 100,
        misses: 3 + index,
      }))
      state = await call('POST', `${path}/scores`, { expect, scores })
    } else if (phase === 'window') {
      state = await call('POST', `${path}/act`, { expect, action: 'accept', seat: 2 })
    } else {
      const { action, seats, options } = state.turn
      const chosen = action === 'choose' ? { pair: 'order', place: 1 } : { map: options[0] }
      state = await call('POST', `${path}/act`, { expect, action, seat: seats[0], ...chosen })
    }
    state = state.state ?? state
  }
  if (state.status !== 'over') throw new Error(`the session is ${state.status}`)
}

/** Plays all other matches of the bracket that can be played. */
async function playOut(call: Call, bracket: string, except: string): Promise<void> {
  for (;;) {
    const { matches } = await call('PATCH', `/brackets/${bracket}`, { order: 1 })
    const ready = matches.filter(({ guid, status }: Body) => status === 'ready' && guid !== except)
    if (ready.length === 0) return
    for (const match of ready) await call('PUT', `/matches/${match.guid}/result`, { outcome: 'score', scores: [2, 1] })
  }
}

/** Copies the session of this match, with its games, to every completed match. */
async function copySession({ runtime }: Pick<Access, 'runtime'>, match: string): Promise<void> {
  await runtime.database.pool.query(
    `with played as (
       select m.guid, m.started_at, f.games from matches m, matches f
       where f.guid = $1 and m.tournament_guid = f.tournament_guid and m.guid <> f.guid and m.status = 'completed'
         and m.outcome = 'score'
     ), told as (
       update matches m set games = p.games, started_at = m.completed_at - interval '20 minutes'
       from played p where m.guid = p.guid
     ), given as (
       select p.guid as match_guid, gen_random_uuid() as guid, s.guid as of
       from played p join flow_sessions s on s.match_guid = $1
     ), made as (
       insert into flow_sessions
       select (jsonb_populate_record(s, jsonb_build_object('guid', g.guid, 'match_guid', g.match_guid))).*
       from given g join flow_sessions s on s.guid = g.of returning guid
     )
     insert into flow_rows
     select (jsonb_populate_record(r, jsonb_build_object('session_guid', g.guid))).*
     from given g join made on made.guid = g.guid join flow_rows r on r.session_guid = g.of`,
    [match],
  )
}

/** Every player has played five maps, three times each. */
async function qualify({ runtime }: Pick<Access, 'runtime'>, tournament: string): Promise<void> {
  await runtime.database.pool.query(
    `with made as (
       insert into qualifiers (tournament_guid, status, attempts, hide_scores, method, settings)
       values ($1, 'open', 3, false, 'sum_of_scores',
         '{"countMaps":null,"topPlayers":null,"points":[25,20],"missing":"zero","failCounts":false}') returning guid
     ), placed as (
       insert into qualifier_maps (qualifier_guid, hash, difficulty, characteristic, name, max_score, weight, "order")
       select guid, lpad(n::text, 40, 'a'), 'Expert', 'Standard', 'Map ' || n, 1000000, 1, n from made, generate_series(1, 5) n
       returning guid, qualifier_guid
     )
     insert into qualifier_attempts (qualifier_guid, map_guid, user_guid, team_guid, score, completion, source, played_at,
       recorded_by_guid)
     select p.qualifier_guid, p.guid, m.user_guid, m.team_guid, (random() * 1000000)::int, 'passed', 'import', now(), m.user_guid
     from placed p, team_members m, generate_series(1, 3) where m.tournament_guid = $1`,
    [tournament],
  )
}
