import { defaultOptions } from '../src/features/maps/pools/rules/maps.ts'
import { makeSession } from './flow-sessions.ts'
import type { Harness } from './harness.ts'
import { makeTeam } from './make.ts'
import { giveFiles } from './packages.ts'
import { makeWorld, type World } from './world.ts'

/** A tournament with rows of every kind that packages have. */

/** A map of a pool as a change keeps it. */
function snapshotOf(guid: string | undefined) {
  const map = {
    ...{ guid: '5d0c8a52-0b3e-4a0e-9c65-3d5b0f3f8a22', hash: '9'.repeat(40), characteristic: 'Standard' },
    ...{ difficulty: 'Expert', key: null, name: 'Cadenza', subName: null, artist: null, mapper: null, imageUrl: null },
    ...{ previewUrl: null, requirements: [], ai: null, uploadedAt: null, checkedAt: null, state: 'known' },
    ...{ currentHash: null, bpm: null, njs: null, nps: null, durationSeconds: null, notes: null, bombs: null },
    ...{ obstacles: null, maxScore: null, starsA: null, starsB: null, rankedA: null, rankedB: null },
  }
  const facts = { guid, map, flair: null, order: 0, isTiebreaker: false, modifiers: [], playerOptions: [] }
  const settings = { options: defaultOptions, attempts: null, weight: 1, note: null, releaseAt: null, releasedAt: null }
  return {
    ...facts,
    ...settings,
    staffNote: privateMark,
    addedBy: null,
    suggestionGuid: null,
    usedBefore: [],
    warnings: [],
  }
}

/** In every text that only packages with what is private have. */
export const privateMark = 'Zq8private'

export async function makePackageWorld(api: Harness): Promise<World> {
  const world = await makeWorld(api, { registered: true })
  await giveFiles(api, ['logo', 'badge'])
  const { guid: tournament } = world.tournament
  const { team, captain, member, organiser } = world
  const { sheet, match, pool, poolMap, flow, channel, overlay, badge } = world.named
  const games = [
    {
      number: 1,
      scores: [900_000, 800_000],
      winner: 0,
      detail: {
        map: { hash: '8'.repeat(40), difficulty: 'Expert', characteristic: 'Standard' },
        sides: [{ accuracy: 0.97, completion: 'passed' }, {}],
        players: [{ userGuid: member.guid, side: 1, score: 900_000 }],
      },
    },
    { number: 2, scores: [700_000, 600_000], winner: 0 },
  ]
  const opponent = await makeTeam(api, world.tournament, await api.user(), { status: 'registered' })
  const sides = ['win', 'loss'].map((result, index) => ({
    ...{ slot: index + 1, from: null, bye: false, empty: false, score: index === 0 ? 2 : 0, result },
  }))
  const runs = [{ start: 1_777_658_400_000, end: 1_777_662_000_000, status: 'available', reason: privateMark }]
  const statements: readonly (readonly [text: string, ...values: readonly unknown[]])[] = [
    [
      'update tournaments set placements = $2 where guid = $1',
      tournament,
      JSON.stringify([team, opponent.guid].map((teamGuid, index) => ({ place: index + 1, teamGuid }))),
    ],
    [
      "insert into timeline_events (tournament_guid, title, icon, start_time) values ($1, 'Finals', 'flag', now())",
      tournament,
    ],
    [
      `insert into team_withdrawals (team_guid, policy, state, brackets) values ($1, 'walkover', $2, '[]')`,
      team,
      JSON.stringify({
        status: 'registered',
        seed: null,
        rosterLocked: true,
        registeredAt: null,
        activeGuids: [member.guid],
      }),
    ],
    [
      `insert into field_answers (team_guid, field_guid, response, is_private)
       select $1, gen_random_uuid(), answer, private from (values ('"Open answer"'::jsonb, false), ($2::jsonb, true)) as a(answer, private)`,
      team,
      JSON.stringify(privateMark),
    ],
    ['insert into appearances (user_guid, tournament_guid) values ($1, $2)', captain.guid, tournament],
    ['insert into team_notes (team_guid, note, updated_at) values ($1, $2, now())', team, privateMark],
    [
      `insert into bracket_entrants (tournament_guid, bracket_guid, slot, seed, team_guid)
       select m.tournament_guid, m.bracket_guid, e.slot, e.slot, e.team
       from matches m, unnest($2::uuid[]) with ordinality e (team, slot) where m.tournament_guid = $1`,
      tournament,
      [team, opponent.guid],
    ],
    [
      'delete from brackets b where tournament_guid = $1 and not exists (select from matches where bracket_guid = b.guid)',
      tournament,
    ],
    ["update brackets set status = 'completed', open = 0, started = 1 where tournament_guid = $1", tournament],
    [
      `insert into match_officials (match_guid, user_guid, role) select guid, $2, 'role:referee' from matches where tournament_guid = $1`,
      tournament,
      organiser.guid,
    ],
    [
      `update matches set games = $2, sides = $3, team1_guid = $4, team2_guid = $5, status = 'completed', outcome = 'score',
         started = true, started_at = now(), completed_at = now() where tournament_guid = $1`,
      ...[tournament, JSON.stringify(games), JSON.stringify(sides), team, opponent.guid],
    ],
    ['insert into availability_matches (sheet_guid, match_guid, position) values ($1, $2, 0)', sheet, match],
    [
      `insert into availability_responses (sheet_guid, user_guid, role, runs, matches, submitted_at)
       values ($1, $2, 'role:referee', $3, '[]', now())`,
      ...[sheet, organiser.guid, JSON.stringify(runs)],
    ],
    [
      `insert into availability_team_responses (sheet_guid, team_guid, runs, updated_by_guid, submitted_at)
       values ($1, $2, $3, $4, now())`,
      ...[world.namedIn['availability.respondForTeam']?.sheet, team, JSON.stringify(runs), captain.guid],
    ],
    [
      "insert into pool_covers (pool_guid, media_type, picture, small) values ($1, 'image/png', 'cover', 'small')",
      pool,
    ],
    [`insert into flairs (tournament_guid, name, color, "order") values ($1, 'Speed', '#ff0000', 0)`, tournament],
    [
      `insert into pool_changes (pool_guid, revision, kind, before, after, is_shown) values ($1, 2, 'edited', $2, $2, true)`,
      pool,
      JSON.stringify([{ view: snapshotOf(poolMap), shownOrder: 0 }]),
    ],
    ['insert into pooling_settings (tournament_guid) values ($1)', tournament],
    ['insert into pool_plans (tournament_guid, revision, default_pool_guid) values ($1, 1, $2)', tournament, pool],
    [
      'insert into planned_pools (tournament_guid, match_guid, pool_guid) values ($1, $2, $3)',
      ...[tournament, match, pool],
    ],
    [
      'insert into map_votes (pool_map_guid, user_guid, value, voted_at) values ($1, $2, 1, now())',
      poolMap,
      organiser.guid,
    ],
    ['insert into flow_plans (tournament_guid, revision, default_flow_guid) values ($1, 1, $2)', tournament, flow],
    [
      'insert into planned_flows (tournament_guid, match_guid, flow_guid) values ($1, $2, $3)',
      ...[tournament, match, flow],
    ],
    ['insert into overlay_editors (overlay_guid, user_guid) values ($1, $2)', overlay, member.guid],
    ['insert into channel_lists (tournament_guid, revision) values ($1, 1) on conflict do nothing', tournament],
    [
      `insert into channel_entries (channel_guid, match_guid, position, status) values ($1, $2, 0, 'queued')`,
      ...[channel, match],
    ],
    ['update badges set tournament_guid = $1 where guid = $2', tournament, badge],
  ]
  for (const [text, ...values] of statements) {
    await api.sql(text, [...values]).catch((error: Error) => {
      throw new Error(`${text}: ${error.message}`, { cause: error })
    })
  }
  const past = await makeSession(api, {
    ...{ tournamentGuid: tournament, by: organiser.guid, flow: 'referee-picks' },
    seed: new Uint8Array(32).fill(7),
    seats: [captain, member].map(({ guid }) => ({ team: null, captain: guid })),
  })
  await past.write([{ kind: 'finish', data: { winner: null, reason: 'Of the past.' } }], organiser.guid)
  return world
}
