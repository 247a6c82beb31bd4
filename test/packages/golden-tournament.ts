import fc from 'fast-check'
import type { BracketBody } from '../bracket-play.ts'
import type { Caller, Harness } from '../harness.ts'
import { giveRealFiles } from '../package-imports.ts'
import { giveFiles } from '../packages.ts'
import { makeRandom, type RandomTournament, shapesOf } from '../random-tournaments.ts'
import { documentWith, elementOf } from '../scene-documents.ts'

/** Tournaments that were played to their ends, with rows of almost every kind. */

export interface GoldenTournament {
  readonly guid: string
  readonly id: string
  readonly organiser: Caller
}

const fieldGuid = '5f1c9a52-3f5b-4d0e-9c65-7a5b0f3f8a11'

/** @param seed by which its shape is drawn */
export async function makeGoldenTournament(api: Harness, seed: number): Promise<GoldenTournament> {
  const [shape] = fc.sample(shapesOf('double_elimination'), { numRuns: 1, seed })
  if (shape === undefined) throw new Error('there is no shape')
  const made = await makeRandom(api, { ...shape, document: documentWith({ element01: elementOf() }) })
  for (const deed of often.split(' ')) for (let times = 0; times < 3; times++) await made.again(deed)
  await addTheRest(api, made)
  await playToTheEnd(api, made)
  return { ...made.cup, organiser: made.organiser }
}

/** Deeds that may have been refused, or whose rows not everybody may see. */
const often =
  'qualifier attempts pooling publishing pooled proposal session result correction withdrawal result correction'

/** What no deed makes. */
async function addTheRest(api: Harness, { cup, organiser, path, bracket }: RandomTournament): Promise<void> {
  const windows = [{ startsAt: '2031-05-01T18:00:00.000Z', endsAt: '2031-05-01T22:00:00.000Z' }]
  const asked = { title: 'Teams', mode: 'days', timezone: 'Europe/Berlin', audience: 'teams', windows }
  const sheet = (await api.post(`${path}/availability/sheets`, organiser, asked)).body.guid
  const [team] = await api.sql<{ guid: string; captain: string }>(
    `select guid, captain_guid as captain from teams where tournament_guid = $1 and status = 'registered' limit 1`,
    [cup.guid],
  )
  const [match] = await api.sql<{ guid: string }>('select guid from matches where bracket_guid = $1 and number = 1', [
    bracket.guid,
  ])
  const field = {
    ...{ guid: fieldGuid, label: 'Do you play with arcs?', help: null, type: 'text', required: false, options: [] },
    ...{ subject: 'team', private: false },
  }
  const runs = [{ start: 1_935_424_800_000, end: 1_935_432_000_000, status: 'available', reason: 'We are at home.' }]
  const statements: readonly (readonly [text: string, ...values: readonly unknown[]])[] = [
    ['update qualifiers set hide_scores = false where tournament_guid = $1', cup.guid],
    // What fell due before an import is not made up for, and what expired is deleted: it would be another row on another day.
    ['update pools set announce_at = null where tournament_guid = $1', cup.guid],
    [
      `update flow_sessions set expires_at = '2199-01-01' where tournament_guid = $1 and expires_at is not null`,
      cup.guid,
    ],
    ['update tournaments set additional_fields = $2 where guid = $1', cup.guid, JSON.stringify([field])],
    [
      `insert into field_answers (team_guid, field_guid, response, is_private) values ($1, $2, '"Yes, always."', false)`,
      ...[team?.guid, fieldGuid],
    ],
    ['insert into appearances (user_guid, tournament_guid) values ($1, $2)', team?.captain, cup.guid],
    [
      `insert into availability_team_responses (sheet_guid, team_guid, runs, updated_by_guid, submitted_at)
       values ($1, $2, $3, $4, now())`,
      ...[sheet, team?.guid, JSON.stringify(runs), team?.captain],
    ],
    [
      `insert into availability_matches (sheet_guid, match_guid, position)
       select guid, $2, 0 from availability_sheets where tournament_guid = $1 and audience = 'staff' limit 1`,
      ...[cup.guid, match?.guid],
    ],
    [
      `insert into planned_flows (tournament_guid, match_guid, flow_guid)
       select $1, $2, guid from flows where tournament_guid = $1 limit 1`,
      ...[cup.guid, match?.guid],
    ],
    [
      `insert into pool_covers (pool_guid, media_type, picture, small)
       select guid, 'image/png', 'cover', 'small' from pools where tournament_guid = $1 and status = 'published' limit 1`,
      cup.guid,
    ],
    [
      `update pool_maps m set flair_guid = (select guid from flairs where tournament_guid = $1 limit 1)
       from pools p where p.guid = m.pool_guid and p.tournament_guid = $1`,
      cup.guid,
    ],
    [
      'insert into overlay_editors (overlay_guid, user_guid) select guid, $2 from overlays where tournament_guid = $1',
      ...[cup.guid, team?.captain],
    ],
    ["update overlays set access = 'public' where tournament_guid = $1", cup.guid],
    [
      `with medium as (
         insert into media (kind, name, owner_guid, tournament_guid, type, bytes, width, height, color, digest, upload_digest)
         select kind, name, $2, $1::uuid, 'image/webp', 44, 200, 200, '#204060', sha256(name::bytea), sha256((name || $1::text)::bytea)
         from (values ('tournament_image', 'logo'), ('badge_image', 'badge')) as given (kind, name) returning guid, kind),
       badge as (
         insert into badges (name, description, kind, media_guid, image_url, holders, created_by, tournament_guid)
         select 'Finalist', 'Of the cup.', 'placement', guid, '/badge.webp', 1, $2, $1::uuid from medium where kind = 'badge_image'
         returning guid)
       insert into badge_grants (badge_guid, user_guid, label, place, awarded_at, source)
       select guid, $3, '2nd place', 2, now(), 'manual' from badge`,
      ...[cup.guid, organiser.guid, team?.captain],
    ],
  ]
  for (const [text, ...values] of statements) {
    await api.sql(text, [...values]).catch((error: Error) => {
      throw new Error(`${text}: ${error.message}`, { cause: error })
    })
  }
  await giveFiles(api, ['logo', 'badge'])
  await giveRealFiles(api)
  await api.sql(
    `update tournaments t set image_url = $2 || '/media/' || m.guid || '/full.webp'
     from media m where t.guid = $1 and m.tournament_guid = $1 and m.kind = 'tournament_image'`,
    [cup.guid, api.app.config.media.url],
  )
}

async function playToTheEnd(api: Harness, made: RandomTournament): Promise<void> {
  const isOpen = ({ status }: BracketBody) => status === 'ready' || status === 'in_progress'
  for (let next = (await made.read()).matches.find(isOpen); next; next = (await made.read()).matches.find(isOpen)) {
    const wins = Math.floor(next.bestOf / 2) + 1
    const told = await made.tell(next.number, { outcome: 'score', scores: [wins, 0] })
    if (told.status !== 200) throw new Error(`not told: ${told.text}`)
  }
  const over = await api.post(`${made.path}/status`, made.organiser, { status: 'completed' })
  if (over.status !== 200) throw new Error(`not over: ${over.text}`)
}
