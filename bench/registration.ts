import { during, inTurns, load, loop, over, pace } from './load.ts'
import { type Row, ratio } from './report.ts'
import type { Service } from './service.ts'
import { type Entry, makeEntrants, makePlayer, makeTeams, makeTournaments, type Player } from './world.ts'

const concurrency = 32
const teams = 1_500
const captainsPerTurn = 50

/**
 * Registrations in different tournaments, which do not wait for each other. Compared with the SQL of the rows that they
 * save.
 */
export async function registrationsApart({ url, runtime }: Service): Promise<Row[]> {
  const organiser = await makePlayer(runtime)
  return rows(
    'registration, different tournaments',
    { url, runtime },
    () => entriesApart(runtime, organiser, teams),
    false,
  )
}

/**
 * One team in each of many new tournaments. No real player is in thousands of them, so every turn has captains of its
 * own.
 */
async function entriesApart(runtime: Service['runtime'], organiser: Player, count: number): Promise<Registration[]> {
  const captains = await Promise.all(Array.from({ length: captainsPerTurn }, () => makePlayer(runtime)))
  const tournaments = await makeTournaments(runtime, organiser.guid, count)
  const share = count / captainsPerTurn
  const shares = captains.map(async ({ guid, token }, index) => {
    const made = await makeTeams(runtime, tournaments.slice(index * share, (index + 1) * share), guid)
    return made.map((entry) => ({ ...entry, token }))
  })
  return (await Promise.all(shares)).flat()
}

const readingSeconds = 3
const perSecond = 50

/**
 * Reads of the cached card of an uninvolved user during registrations. Compared with the same reads without
 * registrations.
 */
export async function readsBesideRegistrations({ url, runtime }: Service): Promise<Row[]> {
  const [organiser, bystander] = [await makePlayer(runtime), await makePlayer(runtime)]
  const path = `/api/users/${bystander.guid}/card`
  const read = () =>
    load(
      url,
      during(readingSeconds, () => ({ path })),
      64,
    )
  const measured = await inTurns(async () => {
    const entries = await entriesApart(runtime, organiser, readingSeconds * perSecond)
    const [result] = await Promise.all([read(), pace(url, entries.map(registrationOf), perSecond, 16)])
    return result
  }, read)
  const work = `anonymous card, hot, beside ${perSecond} registrations a second`
  return [ratio(work, 'the same without them', measured, 0.8)]
}

function registrationOf({ tournament, team, token }: Registration) {
  return { method: 'POST' as const, path: `/api/tournaments/${tournament}/register/${team}`, token }
}

/** Registrations in one tournament, one after the other. Compared with the same SQL with the same row lock. */
export async function registrationsTogether({ url, runtime }: Service): Promise<Row[]> {
  const organiser = await makePlayer(runtime)
  const entries = async () => {
    const [tournament] = await makeTournaments(runtime, organiser.guid, 1)
    const made = await makeEntrants(runtime, tournament as string, teams)
    return made.map((entry) => ({ ...entry, token: organiser.token }))
  }
  return rows('registration, one tournament', { url, runtime }, entries, true)
}

interface Registration extends Entry {
  readonly token: string
}

/**
 * Compared with the SQL of the same rows, to which the bound applies; and, only for information, with the writes alone,
 * without any check.
 */
async function rows(
  work: string,
  service: Pick<Service, 'url' | 'runtime'>,
  entries: () => Promise<Registration[]>,
  locked: boolean,
): Promise<Row[]> {
  const lock = locked ? ', with the one row lock' : ''
  const all = await compare(service, entries, { locked, reads: true })
  const writes = await compare(service, entries, { locked, reads: false })
  return [
    ratio(work, `the bare SQL of the same rows, read and written in one transaction${lock}`, all, 0.5),
    ratio(work, `the writes of it alone${lock}`, writes, null),
  ]
}

function compare(
  { url, runtime }: Pick<Service, 'url' | 'runtime'>,
  entries: () => Promise<Registration[]>,
  bare: { readonly locked: boolean; readonly reads: boolean },
) {
  const prepared = async () => {
    const made = await entries()
    await runtime.database.pool.query('analyze')
    return made
  }
  return inTurns(
    async () => {
      return load(url, over(await prepared(), registrationOf), concurrency)
    },
    async () =>
      loop(
        over(await prepared(), (entry) => () => bareRegistration(runtime, entry, bare)),
        concurrency,
      ),
    3,
  )
}

type Run = (name: string, text: string, values: unknown[]) => Promise<unknown>

/** Saves one registration with prepared statements on the same pool, without checks, JSON and HTTP. */
async function bareRegistration(
  { database }: Service['runtime'],
  entry: Entry,
  { locked, reads }: { readonly locked: boolean; readonly reads: boolean },
) {
  const client = await database.pool.connect()
  const run: Run = (name, text, values) => client.query({ name, text, values })
  try {
    await client.query('begin')
    if (reads) await readRows(run, entry, locked)
    else if (locked) await run('bare_lock', 'select from tournaments where guid = $1 for update', [entry.tournament])
    await writeRows(run, entry)
    if (reads) await run('bare_card', card, [entry.captain])
    await client.query('commit')
  } finally {
    client.release()
  }
}

async function readRows(run: Run, { tournament, team, captain }: Entry, locked: boolean): Promise<void> {
  const whole = 'select * from tournaments inner join tournament_counts on tournament_guid = guid where guid = $1'
  await (locked ? run('bare_lock_all', `${whole} for update`, [tournament]) : run('bare_read', whole, [tournament]))
  await run('bare_read_team', 'select * from teams where guid = $1', [team])
  await run('bare_read_members', 'select * from team_members where team_guid = $1', [team])
  await run('bare_read_player', player, [captain])
}

const player = `select guid, chat_platform_id, email_verified_at, country,
  (select json_agg(i) from identities i where i.user_guid = guid) as links from users where guid = $1`

const card = `select users.*, i.external_id,
  (select count(*) from appearances a where a.user_guid = users.guid
     and exists (select from listings l where l.tournament_guid = a.tournament_guid offset 0)) as played
  from users left join identities i on i.user_guid = users.guid where users.guid = $1`

async function writeRows(run: Run, { tournament, team, captain }: Entry): Promise<void> {
  await run(
    'bare_team',
    "update teams set status = 'registered', registered_at = now(), roster_locked = true, updated_at = now() where guid = $1",
    [team],
  )
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
}
