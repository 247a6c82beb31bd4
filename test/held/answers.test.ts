import { afterAll, beforeAll, expect, test } from 'vitest'
import { operations } from '../../src/app.ts'
import { everythingTag } from '../../src/infra/events/head.ts'
import { type Caller, type Harness, outcome, type Reply, startHarness } from '../harness.ts'
import { touch } from '../make.ts'
import { addressOf, makeWorld, type World } from '../world.ts'

/** Answers of all reads about a held tournament: outsiders see nothing of what is hidden, in no byte and no header. */

let api: Harness
beforeAll(async () => {
  api = await startHarness()
})
afterAll(async () => {
  await api[Symbol.asyncDispose]()
})

/** What happens behind the horizon: a change of every table that is held. */
const hidden = [
  `update divisions set name = name || ' hidden' where tournament_guid = $1`,
  `update brackets set revision = revision + 7, status = 'completed', updated_at = now() where tournament_guid = $1`,
  `update bracket_entrants set seed = coalesce(seed, 0) + 100 where tournament_guid = $1`,
  `update matches set status = 'completed', outcome = 'played', started_at = now(), completed_at = now(), notes = 'hidden',
     revision = revision + 7, updated_at = now() where tournament_guid = $1`,
  `update corrections set reason = 'hidden', undone_at = now() where tournament_guid = $1`,
  `update flow_sessions set status = 'over', shown_status = 'over', ended_at = now(), updated_at = now() where tournament_guid = $1`,
  `update flow_rows set data = data || '{"hidden": true}' where tournament_guid = $1`,
  `update stream_assignments set note = 'hidden', cancelled_at = now() where tournament_guid = $1`,
  `update channels set queue_revision = queue_revision + 7 where tournament_guid = $1`,
  `update channel_entries set status = 'done' where channel_guid in (select guid from channels where tournament_guid = $1)`,
  `update overlay_controls set flavour = 'hidden', revision = revision + 7
     where overlay_guid in (select guid from overlays where tournament_guid = $1)`,
  `update teams set withdrawn_at = now(), withdrawn_reason = 'hidden', status = 'unregistered' where tournament_guid = $1`,
  `update badge_grants set label = 'hidden' where badge_guid in (select guid from badges where tournament_guid = $1)`,
  `update badges set holders = holders + 7 where tournament_guid = $1`,
  `update listings set status = 'completed' where tournament_guid = $1`,
  `update tournaments set status = 'completed', completed_at = now(), placements = '[]', updated_at = now() where guid = $1`,
]

/** Of no tournament, and different each second. */
const ofTheTime = ['sceneReference.sample']
const reads = operations.filter(
  ({ kind, scope, name }) =>
    kind === 'query' && scope !== 'session' && scope !== 'browser' && !ofTheTime.includes(name),
)

const daysOn = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
const around = `from=${daysOn(-1)}&to=${daysOn(1)}`

/** Queries without which a read is refused, or which ask for what may be hidden. */
const queries: Readonly<Record<string, readonly string[]>> = {
  'tournaments.read': ['', '?include=staff,teams,timeline,divisions,matches,html'],
  'tournaments.list': ['', '?status=ongoing', '?status=completed'],
  'platforms.tournaments': ['', '?status=completed'],
  'matches.list': ['', '?status=completed', '?delayed=true', '?limit=1'],
  // Without a time it asks for what comes next, which changes with each minute.
  'matches.listAll': [`?${around}`, `?status=completed&${around}`, '?status=running'],
  'search.all': ['?q=cup'],
  'calendar.list': ['?from=2026-01-01T00:00:00Z&to=2026-12-31T00:00:00Z'],
  'brackets.read': ['', '?delayed=true'],
}

const seen = (reply: Reply) => [
  ...outcome(reply),
  reply.text,
  ...['etag', 'delayed', 'cache-control', 'content-length'].map((name) => reply.headers.get(name)),
]

/** The answers of all reads to a caller, by address; without those that differ when nothing has happened. */
async function answersTo(world: World, caller: Caller | null): Promise<Map<string, unknown>> {
  const answers = new Map<string, unknown>()
  for (const operation of reads) {
    for (const query of queries[operation.name] ?? ['']) {
      const address = addressOf(operation, world) + query
      const [first, second] = [seen(await api.get(address, caller)), seen(await api.get(address, caller))]
      if (JSON.stringify(first) === JSON.stringify(second)) answers.set(operation.name + query, second)
    }
  }
  return answers
}

const differing = (one: Map<string, unknown>, other: Map<string, unknown>) =>
  [...one]
    .filter(([name, answer]) => other.has(name) && JSON.stringify(other.get(name)) !== JSON.stringify(answer))
    .map(([name]) => name)

test('while only hidden things happen, no answer to an outsider changes; the staff sees them', async () => {
  const world = await makeWorld(api, { status: 'ongoing', registered: true })
  const { guid } = world.tournament
  await api.sql(`update overlays set access = 'public' where tournament_guid = $1`, [guid])
  const put = await api.patch(`/tournaments/${guid}`, world.organiser, { spoilerMode: 'held', streamDelaySeconds: 600 })
  expect(outcome(put)).toEqual([200, null])
  const [stranger, staff] = [await api.user(), world.organiser]
  const outsiders: readonly (Caller | null)[] = [null, stranger]
  const before = [await answersTo(world, null), await answersTo(world, stranger), await answersTo(world, staff)]

  for (const statement of hidden) await api.sql(statement, [guid])
  await touch(api, guid, everythingTag)
  for (const [index, caller] of outsiders.entries()) {
    const after = await answersTo(world, caller)
    expect(differing(before[index] ?? new Map(), after)).toEqual([])
    expect(after.size).toBeGreaterThan(reads.length)
  }
  const toStaff = differing(before[2] ?? new Map(), await answersTo(world, staff))
  expect(toStaff).toEqual(expect.arrayContaining(['tournaments.read', 'matches.list', 'brackets.read', 'teams.list']))

  // What is shown after a reveal is what everybody sees without the mode.
  const revealed = await api.post(`/tournaments/${guid}/reveal`, staff, { all: true })
  expect(outcome(revealed)).toEqual([200, null])
  expect(await api.sql('select * from held_changes')).toEqual([])
  const shown = await answersTo(world, null)
  expect(differing(before[0] ?? new Map(), shown)).toEqual(expect.arrayContaining(['matches.list', 'brackets.read']))
  const open = await api.patch(`/tournaments/${guid}`, world.organiser, { spoilerMode: 'open' })
  expect(outcome(open)).toEqual([200, null])
  const bodies = (answers: Map<string, unknown>) =>
    new Map([...answers].map(([name, answer]) => [name, (answer as unknown[]).slice(0, 3)]))
  const mode = ['tournaments.read', 'tournaments.list', 'platforms.tournaments', 'packages.export']
  const last = await answersTo(world, null)
  const others = differing(bodies(shown), bodies(last)).filter((name) => !mode.includes(name.replace(/\?.*/, '')))
  expect(others).toEqual([])
})
