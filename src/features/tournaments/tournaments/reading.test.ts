import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type MadeBracket, makeBracket } from '../../../../test/bracket-play.ts'
import { type Caller, type Harness, outcome, type Reply, startHarness } from '../../../../test/harness.ts'
import { grantRole, makeTournament, remembered } from '../../../../test/make.ts'
import { emit } from '../../../infra/events/emit.ts'
import { revokeApproval } from './commands/status.ts'
import { changeCounts, lockTournament } from './store/tournaments.ts'

/** Reading the record and its included parts. */

let api: Harness
let organiser: Caller
beforeAll(async () => {
  api = await startHarness()
  organiser = await api.user({ name: 'quaver' })
})
afterAll(() => api[Symbol.asyncDispose]())

const nobody = '00000000-0000-4000-8000-000000000000'

describe('reading', () => {
  test('is public, revalidated by a strong ETag, and private for those with a token (D11)', async () => {
    const { id } = await makeTournament(api, organiser)
    const open = await api.get(`/tournaments/${id}`)
    expect(open.status).toBe(200)
    expect(open.headers.get('cache-control')).toBe('public, max-age=0, must-revalidate')
    expect(open.headers.get('vary')).toBe('Authorization, Accept, Accept-Encoding')
    const etag = open.headers.get('etag') ?? ''
    expect(etag).toMatch(/^"[\w-]+"$/)
    expect((await api.get(`/tournaments/${id}`, null, { 'if-none-match': etag })).status).toBe(304)
    const mine = await api.get(`/tournaments/${id}`, organiser)
    expect(mine.headers.get('cache-control')).toBe('private, no-store')
    const stale = await api.call('GET', `/tournaments/${id}`, { token: 'no.such.token' })
    expect([stale.status, stale.body]).toEqual([200, open.body])
  })

  test('shows placements with their teams, in one list', async () => {
    const { guid, id } = await makeTournament(api, organiser, { status: 'completed' })
    const captains = await Promise.all([api.user(), api.user()])
    const teams = await Promise.all(
      captains.map(async (captain, index) => {
        const [team] = await api.sql<{ guid: string }>(
          'insert into teams (tournament_guid, id, name, captain_guid, image_url) values ($1, $2, $3, $4, $5) returning guid',
          [guid, `team-${index}`, `Team ${index}`, captain.guid, index === 0 ? 'https://cdn.example.org/t.png' : null],
        )
        return team?.guid as string
      }),
    )
    const placements = [
      { place: 1, teamGuid: teams[1] },
      { place: 2, teamGuid: teams[0] },
      { place: 3, teamGuid: nobody },
    ]
    await api.sql('update tournaments set placements = $2 where guid = $1', [guid, JSON.stringify(placements)])
    expect((await api.get(`/tournaments/${id}`)).body.placements).toEqual([
      { place: 1, team: { guid: teams[1], id: 'team-1', name: 'Team 1', imageUrl: null } },
      { place: 2, team: { guid: teams[0], id: 'team-0', name: 'Team 0', imageUrl: 'https://cdn.example.org/t.png' } },
    ])
  })

  test('what was remembered for everybody is never older than a change, on any process (D12)', async () => {
    await using sibling = await api.sibling()
    const host = await api.user({ name: 'breve' })
    const { guid, id } = await makeTournament(api, host)
    const everywhere = async () => {
      const replies = [await api.get(`/tournaments/${id}`), await sibling.get(`/tournaments/${id}`)]
      // The second answer comes from the cache.
      replies.push(await remembered(api, `/tournaments/${id}`), await remembered(sibling, `/tournaments/${id}`))
      return replies.map((reply) => reply.body)
    }
    await everywhere()
    await api.patch(`/tournaments/${id}`, host, { name: 'Renamed' })
    for (const body of await everywhere()) expect(body.name).toBe('Renamed')

    await api.post('/updateUserSettings', host, { preferredName: 'Breve the Great' })
    for (const body of await everywhere()) expect(body.organiser.preferredName).toBe('Breve the Great')

    await api.app.database.transaction(async (tx) => {
      await changeCounts(tx, guid, { teams: 1, players: 3 })
      emit(tx, { type: 'team.created', subject: nobody, tournament: guid, actor: host.guid, after: {} })
    })
    for (const body of await everywhere()) expect(body.counts).toMatchObject({ teams: 1, players: 3 })

    await api.post(`/tournaments/${id}/status`, host, { status: 'ongoing' })
    for (const body of await everywhere()) expect(body.status).toBe('ongoing')

    const heir = await api.user({ name: 'minim' })
    await api.post(`/tournaments/${id}/organiser`, host, { userIdentifier: heir.guid })
    for (const body of await everywhere())
      expect(body.organiser).toMatchObject({ username: 'minim', roles: ['organiser'] })
    expect((await api.get(`/users/${host.guid}/card`)).body.roles).toEqual([])

    await api.patch(`/tournaments/${id}`, heir, { id: 'other-address' })
    expect((await api.get(`/tournaments/${id}`)).status).toBe(404)
    expect((await sibling.get(`/tournaments/${id}`)).status).toBe(404)
  })

  test('a draft that was public before is not answered from memory', async () => {
    const { guid, id } = await makeTournament(api, organiser)
    const manager = await api.user({ globalRoles: ['global:tournaments:manage'] })
    expect((await api.get(`/tournaments/${id}`)).status).toBe(200)
    await api.app.database.transaction(async (tx) => {
      const locked = await lockTournament(tx, guid)
      if (locked !== undefined) await revokeApproval(tx, locked.tournament, manager.guid, new Date())
    })
    expect((await api.get(`/tournaments/${id}`)).status).toBe(404)
  })
})

describe('the parts of a reading', () => {
  test('are only those asked for, each once', async () => {
    const { id } = await makeTournament(api, organiser)
    const plain = (await api.get(`/tournaments/${id}`)).body
    const { divisions, matches, staff, ...record } = (
      await api.get(`/tournaments/${id}?include=divisions,%20matches,staff,divisions`)
    ).body
    expect(record).toEqual(plain)
    expect([divisions, matches]).toEqual([[], []])
    expect(staff).toEqual((await api.get(`/tournaments/${id}/staff`)).body)
    expect((await api.get(`/tournaments/${id}?include=`)).body).toEqual(plain)
  })

  test('are known: any other is 400', async () => {
    const { id } = await makeTournament(api, organiser)
    for (const include of ['secrets', 'staff,secrets', 'Staff', 'toString', '__proto__']) {
      expect(outcome(await api.get(`/tournaments/${id}?include=${include}`))).toEqual([400, 'include.invalid'])
    }
  })

  test('are never older than a change', async () => {
    const cup = await makeTournament(api, organiser)
    const { id } = cup
    const [heir, referee] = [await api.user(), await api.user()]
    await grantRole(api, cup, referee, 'role:referee')
    const read = async () => (await remembered(api, `/tournaments/${id}?include=staff`)).body
    expect((await read()).staff[0].users[0].guid).toBe(organiser.guid)
    await api.post('/updateUserSettings', referee, { preferredName: 'Whistle' })
    expect((await read()).staff[1].users[0].preferredName).toBe('Whistle')
    await api.post(`/tournaments/${id}/organiser`, organiser, { userIdentifier: heir.guid })
    const after = await read()
    expect([after.organiser.guid, after.staff[0].users[0].guid]).toEqual([heir.guid, heir.guid])
  })

  const words = ['staff', 'teams', 'timeline', 'divisions', 'matches']
  /**
   * Whether the second answer comes from the cache: the update in between emits no event, so a cached answer does not
   * show it.
   */
  async function isRemembered(made: MadeBracket, path: string): Promise<boolean> {
    await remembered(api, path)
    await api.sql('update tournaments set name = $1 where guid = $2', [randomUUID(), made.cup.guid])
    const { name } = (await api.get(path)).body
    return (await api.sql('select from tournaments where guid = $1 and name = $2', [made.cup.guid, name])).length === 0
  }

  test('are remembered with the record, each by itself and all together', async () => {
    const made = await makeBracket(api, { teams: 4, format: 'single_elimination' })
    for (const include of [...words, words.join(',')]) {
      expect([include, await isRemembered(made, `${made.path}?include=${include}`)]).toEqual([include, true])
    }
  })

  test('are not remembered where one of them changes with time', async () => {
    const rosterLocksAt = new Date(Date.now() + 3_600_000)
    const made = await makeBracket(api, { teams: 2, format: 'single_elimination', tournament: { rosterLocksAt } })
    expect(await isRemembered(made, `${made.path}?include=timeline,teams,staff`)).toBe(false)
    expect(await isRemembered(made, `${made.path}?include=timeline,staff`)).toBe(true)
  })

  test('show every change of theirs, remembered or not', async () => {
    const made = await makeBracket(api, { teams: 4, format: 'single_elimination' })
    const { path, organiser: as, teams, captains } = made
    const [captain, team] = [captains[0] as Caller, teams[0] as { guid: string }]
    const paths = [`${path}?include=${words.join(',')}`, ...words.map((word) => `${path}?include=${word}`)]
    const at = '2027-03-01T18:00:00.000Z'
    const changes: [string, () => Promise<Reply>, string][] = [
      ['a result', () => made.tell(1, { outcome: 'score', scores: [2, 1] }), '"completed"'],
      ['a name', () => api.patch(`${path}/brackets/${made.bracket.guid}`, as, { name: 'Knockout' }), 'Knockout'],
      ['a division', () => api.post(`${path}/divisions`, as, { name: 'Losers' }), 'Losers'],
      ['an appointment', () => api.patch(`${path}/matches/2`, as, { scheduledAt: at }), at],
      ['a player', () => api.post('/updateUserSettings', captain, { pronouns: 'xe/xem' }), 'xe/xem'],
      ['a team', () => api.patch(`${path}/teams/${team.guid}`, as, { name: 'Renamed' }), 'Renamed'],
    ]
    for (const [what, change, text] of changes) {
      const before = await Promise.all(paths.map((each) => remembered(api, each)))
      expect([what, (await change()).status < 300]).toEqual([what, true])
      const after = await Promise.all(paths.map((each) => api.get(each)))
      expect([what, after[0]?.text.includes(text)]).toEqual([what, true])
      // Each part has the same content, whichever parts it is read with.
      for (const [index, word] of words.entries()) {
        expect([what, word, after[index + 1]?.body[word]]).toEqual([what, word, after[0]?.body[word]])
      }
      expect([what, after[0]?.text === before[0]?.text]).toEqual([what, false])
    }
  })
})
