import { jwtVerify } from 'jose'
import { listNotifications } from '../src/features/people/notifications/store.ts'
import { listHeldRoles } from '../src/features/people/users/store/roles.ts'
import { findUser, findUserByGuid, listUserFacts } from '../src/features/people/users/store/users.ts'
import { listOpenOfUser } from '../src/features/teams/teams/store/invitations.ts'
import { during, inTurns, load, loop } from './load.ts'
import { type Row, ratio } from './report.ts'
import { type Service, startPlain } from './service.ts'
import { makePlayer, makeTournaments } from './world.ts'

const connections = 64
const seconds = 3

/** Reads of cached responses. Compared with `node:http` sending the same bytes with the same headers. */
export async function hotReads({ url, runtime }: Service): Promise<Row[]> {
  const player = await makePlayer(runtime)
  const [tournament] = await makeTournaments(runtime, player.guid, 1)
  const rows: Row[] = []
  const [card, cup] = [`/api/users/${player.guid}/card`, `/api/tournaments/${tournament}`]
  for (const [work, path, accepts] of [
    ['anonymous card, hot', card, 'identity'],
    ['anonymous tournament, hot', cup, 'identity'],
    ['anonymous tournament, hot, compressed', cup, 'gzip, br'],
  ] as const) {
    const plain = await startPlain(url + path, accepts)
    const ask = (target: string) => () =>
      load(
        target,
        during(seconds, () => ({ path, ...(accepts !== 'identity' && { accepts }) })),
        connections,
      )
    const measured = await inTurns(ask(url), ask(plain.url))
    await plain.stop()
    rows.push(ratio(work, 'plain node:http sending the same bytes and headers', measured, 0.5))
  }
  return rows
}

/** Reads of cards that are not cached. Compared with the needed statements, on as many connections. */
export async function missedReads({ url, runtime }: Service): Promise<Row[]> {
  const { db, pool } = runtime.database
  const { rows } = await pool.query<{ guid: string }>(
    `insert into users (chat_platform_id, username, preferred_name, avatar_url, description)
     select '8000000000' || n, 'cold' || n, 'cold' || n, '', 'Plays fast maps.' from generate_series(1, 100000) as n
     returning guid`,
  )
  await pool.query('analyze users')
  let next = 0
  const guid = () => rows[next++ % rows.length]?.guid as string
  const measured = await inTurns(
    () =>
      load(
        url,
        during(seconds, () => ({ path: `/api/users/${guid()}/card` })),
        connections,
      ),
    () =>
      loop(
        during(seconds, () => async () => {
          const user = await findUser(db, guid())
          await listUserFacts(db, [user?.guid ?? ''])
        }),
        connections,
      ),
  )
  return [ratio('anonymous card, not remembered', 'the same prepared statements in a loop', measured, 0.5)]
}

const callers = 300

/**
 * Reads of the signed-in user's own record, with tokens that are new at the start of each turn. Compared with the same
 * prepared statements in a loop, with one RS256 verification for each token.
 */
export async function ownReads({ url, runtime }: Service): Promise<Row[]> {
  const { db } = runtime.database
  const { publicKey } = runtime.keys.current
  const freshPlayers = () => Promise.all(Array.from({ length: callers }, () => makePlayer(runtime)))
  const measured = await inTurns(
    async () => {
      const players = await freshPlayers()
      const next = during(seconds, (index) => ({
        path: '/api/users/@me',
        token: players[index % callers]?.token as string,
      }))
      return load(url, next, connections)
    },
    async () => {
      const players = await freshPlayers()
      const next = during(seconds, (index) => async () => {
        const { guid, token } = players[index % callers] as (typeof players)[number]
        if (index < callers) await jwtVerify(token, publicKey)
        await findUserByGuid(db, guid)
        await Promise.all([
          listHeldRoles(db, [guid], false),
          listUserFacts(db, [guid]),
          listNotifications(db, guid, { limit: 25 }),
          listOpenOfUser(db, guid),
        ])
      })
      return loop(next, connections)
    },
  )
  return [
    ratio(
      'authenticated read, /users/@me',
      'the same prepared statements in a loop, one RS256 verification per token',
      measured,
      0.5,
    ),
  ]
}
