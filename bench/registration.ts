import { inTurns, load, loop, over } from './load.ts'
import { type Row, ratio } from './report.ts'
import type { Service } from './service.ts'
import { type Entry, makeEntrants, makePlayer, makeTeams, makeTournaments } from './world.ts'

const concurrency = 32
const teams = 1_500
const captainsPerTurn = 50

/** Registrations in tournaments that do not wait for each other. Against the bare SQL of the rows that they leave. */
export async function registrationsApart({ url, runtime }: Service): Promise<Row[]> {
  const organiser = await makePlayer(runtime)
  // Nobody plays in thousands of tournaments: every turn has captains of its own.
  const entries = async () => {
    const captains = await Promise.all(Array.from({ length: captainsPerTurn }, () => makePlayer(runtime)))
    const tournaments = await makeTournaments(runtime, organiser.guid, teams)
    const share = teams / captainsPerTurn
    const shares = captains.map(async ({ guid, token }, index) => {
      const made = await makeTeams(runtime, tournaments.slice(index * share, (index + 1) * share), guid)
      return made.map((entry) => ({ ...entry, token }))
    })
    return (await Promise.all(shares)).flat()
  }
  const measured = await compare({ url, runtime }, entries, false)
  return [
    ratio('registration, different tournaments', 'the bare SQL of the same rows in one transaction', measured, 0.5),
  ]
}

/** Registrations in one tournament, one after the other. Against the same SQL behind the same row lock. */
export async function registrationsTogether({ url, runtime }: Service): Promise<Row[]> {
  const organiser = await makePlayer(runtime)
  const entries = async () => {
    const [tournament] = await makeTournaments(runtime, organiser.guid, 1)
    const made = await makeEntrants(runtime, tournament as string, teams)
    return made.map((entry) => ({ ...entry, token: organiser.token }))
  }
  const measured = await compare({ url, runtime }, entries, true)
  return [ratio('registration, one tournament', 'the same with the one row lock', measured, 0.5)]
}

interface Registration extends Entry {
  readonly token: string
}

function compare(
  { url, runtime }: Pick<Service, 'url' | 'runtime'>,
  entries: () => Promise<Registration[]>,
  locked: boolean,
) {
  return inTurns(
    async () => {
      const made = await entries()
      await runtime.database.pool.query('analyze')
      const requests = over(made, ({ tournament, team, token }) => {
        const path = `/api/tournaments/${tournament}/register/${team}`
        return { method: 'POST' as const, path, token }
      })
      return load(url, requests, concurrency)
    },
    async () => {
      const made = await entries()
      await runtime.database.pool.query('analyze')
      return loop(
        over(made, (entry) => () => bareRegistration(runtime, entry, locked)),
        concurrency,
      )
    },
    3,
  )
}

/** The rows that one registration writes, by prepared statements on the same pool, and nothing else. */
async function bareRegistration(
  { database }: Service['runtime'],
  { tournament, team, captain }: Entry,
  locked: boolean,
) {
  const client = await database.pool.connect()
  const run = (name: string, text: string, values: unknown[]) => client.query({ name, text, values })
  try {
    await client.query('begin')
    if (locked) await run('bare_lock', 'select from tournaments where guid = $1 for update', [tournament])
    await run(
      'bare_team',
      "update teams set status = 'registered', registered_at = now(), roster_locked = true, updated_at = now() where guid = $1",
      [team],
    )
    await run('bare_members', 'update team_members set is_active = true where team_guid = $1', [team])
    await run(
      'bare_appearance',
      'insert into appearances (user_guid, tournament_guid) values ($1, $2) on conflict do nothing',
      [captain, tournament],
    )
    await run('bare_counts', 'update tournament_counts set registered = registered + 1 where tournament_guid = $1', [
      tournament,
    ])
    await run(
      'bare_event',
      `insert into event_log (seq, type, subject, tournament, actor, before, after, touches)
       values (nextval('event_log_seq'), 'bare.registered', $1, $2, $3, '{"status":"unregistered"}', '{"status":"registered"}', $4)`,
      [team, tournament, captain, [team, tournament]],
    )
    await client.query('commit')
  } finally {
    client.release()
  }
}
