import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Caller, type Harness, outcome, startHarness } from '../../../../test/harness.ts'
import { type MadeTournament, makeTournament, roleHolder, type TournamentOptions } from '../../../../test/make.ts'

let api: Harness
let organiser: Caller
beforeAll(async () => {
  api = await startHarness()
  organiser = await api.user({ name: 'organiser' })
})
afterAll(() => api[Symbol.asyncDispose]())

interface Made {
  readonly cup: MadeTournament
  readonly team: string
  readonly person: string
}

/** A team of a sheet, whose captain may be claimed. */
async function entered(options: TournamentOptions = {}, name = 'Breve'): Promise<Made> {
  const cup = await makeTournament(api, organiser, options)
  const rows = [{ teamName: 'The Quavers', captain: name, members: ['Longa'], register: true }]
  const reply = await api.post(`/tournaments/${cup.guid}/teams/import`, organiser, { rows })
  const team = reply.body.rows[0].team.guid
  const { captain } = (await api.get(`/tournaments/${cup.guid}/teams/${team}`, organiser)).body
  return { cup, team, person: captain.guid }
}

const makeLink = ({ person, cup }: Made, caller: Caller | null = organiser) =>
  api.post(`/users/${person}/claimLinks`, caller, { tournament: cup.guid })
const tokenOf = async (made: Made): Promise<string> => (await makeLink(made)).body.token
const claim = (token: string, caller: Caller | null) => api.post(`/claims/${token}`, caller)
const undo = (guid: string, caller: Caller | null = organiser) => api.post(`/claims/${guid}/undo`, caller)
const person = (name?: string) =>
  api.user({ ...(name === undefined ? {} : { name }), scopes: ['rest:write', 'rest:user:write', 'rest:user:read'] })
const teamOf = async ({ cup, team }: Made) => (await api.get(`/tournaments/${cup.guid}/teams/${team}`)).body
const countsOf = async ({ cup }: Made) => (await api.get(`/tournaments/${cup.guid}`)).body.counts

describe('a claim link', () => {
  test('is made by the organiser, told once, listed without its secret, and revoked', async () => {
    const made = await entered()
    const reply = await makeLink(made)
    expect(reply.status).toBe(201)
    expect(reply.body).toMatchObject({ status: 'open', createdByGuid: organiser.guid, usedAt: null })
    expect(reply.body.token).toMatch(/^[\w-]{43}$/)
    const days = (Date.parse(reply.body.expiresAt) - Date.parse(reply.body.createdAt)) / 86_400_000
    expect(days).toBe(30)
    const { token, ...listed } = reply.body
    const list = await api.get(`/users/${made.person}/claimLinks`, organiser)
    expect(list.body).toEqual({ links: [listed] })
    expect(await api.sql('select 1 from claim_links where encode(secret_hash, $1) = $2', ['escape', token])).toEqual([])
    const path = `/users/${made.person}/claimLinks/${listed.guid}`
    expect((await api.delete(path, organiser)).status).toBe(204)
    expect(outcome(await api.delete(path, organiser))).toEqual([404, 'claim.link_unknown'])
    expect(outcome(await claim(token, await person()))).toEqual([404, 'claim.unknown'])
    const types = await api.sql<{ type: string }>(
      "select type from event_log where type like 'claim.%' and subject = $1",
      [made.person],
    )
    expect(types.map(({ type }) => type)).toEqual(['claim.link_made', 'claim.link_revoked'])
  })

  test('is for the organiser and admins of the tournament that made the person', async () => {
    const made = await entered()
    expect((await makeLink(made, null)).status).toBe(401)
    for (const caller of [await api.user(), await roleHolder(api, made.cup, 'role:staff')]) {
      expect(outcome(await makeLink(made, caller))).toEqual([403, 'role.missing'])
      expect(outcome(await api.get(`/users/${made.person}/claimLinks`, caller))).toEqual([403, 'role.missing'])
    }
    expect((await makeLink(made, await roleHolder(api, made.cup, 'role:admin'))).status).toBe(201)
    const other = await entered()
    expect(outcome(await makeLink({ ...made, cup: other.cup }))).toEqual([400, 'claim.tournament_other'])
    expect(outcome(await makeLink({ ...made, person: organiser.guid }))).toEqual([404, 'user.unknown'])
  })

  test('of a draft is unknown to who may not see the draft', async () => {
    const made = await entered({ status: 'draft' })
    expect(outcome(await makeLink(made, await api.user()))).toEqual([404, 'user.unknown'])
  })

  test('is not made for somebody whose chat account is known, nor without end', async () => {
    const known = await entered({}, '810987654321098765')
    expect(outcome(await makeLink(known))).toEqual([409, 'claim.has_account'])
    const made = await entered()
    await api.sql(
      `insert into claim_links (placeholder_guid, tournament_guid, secret_hash, created_by_guid, expires_at)
       select $1, $2, decode(md5(n::text), 'hex'), $3, now() from generate_series(1, 50) n`,
      [made.person, made.cup.guid, organiser.guid],
    )
    expect(outcome(await makeLink(made))).toEqual([409, 'claim.too_many_links'])
  })
})

describe('a claim', () => {
  test('is previewed, and gives the account what is the placeholder’s', async () => {
    const made = await entered()
    const token = await tokenOf(made)
    const user = await person('Semibreve')
    await api.sql(
      `insert into field_answers (team_guid, field_guid, user_guid, response) values ($1, gen_random_uuid(), $2, '"EU"')`,
      [made.team, made.person],
    )
    const before = await countsOf(made)
    const preview = await api.get(`/claims/${token}`, user)
    expect(preview.body).toMatchObject({
      placeholder: { guid: made.person, preferredName: 'Breve', isPlaceholder: true },
      places: [{ tournament: { guid: made.cup.guid }, team: { guid: made.team }, isCaptain: true }],
      conflicts: [],
    })
    expect((await teamOf(made)).captain.guid).toBe(made.person)
    const reply = await claim(token, user)
    expect([reply.status, reply.body]).toEqual([
      200,
      {
        guid: expect.any(String),
        placeholderGuid: made.person,
        userGuid: user.guid,
        claimedAt: expect.any(String),
        undoableUntil: expect.any(String),
        undoneAt: null,
      },
    ])
    const team = await teamOf(made)
    expect(team.captain).toMatchObject({ guid: user.guid, isPlaceholder: false, tournamentsPlayed: 1 })
    expect(team.members.map(({ user: { guid } }: { user: Caller }) => guid)).toContain(user.guid)
    expect(team.members).toHaveLength(2)
    expect(await countsOf(made)).toEqual(before)
    expect((await api.get(`/users/${made.person}`)).status).toBe(404)
    const answers = await api.sql('select user_guid from field_answers where team_guid = $1', [made.team])
    expect(answers).toEqual([{ user_guid: user.guid }])
    expect(outcome(await claim(token, await person()))).toEqual([404, 'claim.unknown'])
    const again = await api.post(`/tournaments/${made.cup.guid}/teams/import`, organiser, {
      rows: [{ teamName: 'The Quavers', captain: 'Breve', members: ['Longa'], register: true }],
    })
    expect(again.body.totals).toMatchObject({ same: 1, placeholders: 0 })
    const audit = await api.get(`/tournaments/${made.cup.guid}/audit?limit=100`, organiser)
    expect(JSON.stringify(audit.body)).toContain('claim.made')
  })

  test('needs a signed-in person and a link that works', async () => {
    const made = await entered()
    const token = await tokenOf(made)
    expect((await api.get(`/claims/${token}`)).status).toBe(401)
    expect((await claim(token, null)).status).toBe(401)
    const user = await person()
    for (const wrong of ['x', `${token}x`]) {
      expect(outcome(await api.get(`/claims/${wrong}`, user))).toEqual([404, 'claim.unknown'])
      expect(outcome(await claim(wrong, user))).toEqual([404, 'claim.unknown'])
    }
    await api.sql("update claim_links set expires_at = now() - interval '1 second' where placeholder_guid = $1", [
      made.person,
    ])
    expect(outcome(await claim(token, user))).toEqual([404, 'claim.unknown'])
  })

  test('is refused where both are in one tournament', async () => {
    const made = await entered()
    const user = await person()
    const own = { captainId: user.guid, teamName: 'Own' }
    await api.post(`/tournaments/${made.cup.guid}/teams`, user, own)
    const token = await tokenOf(made)
    expect((await api.get(`/claims/${token}`, user)).body.conflicts).toMatchObject([
      { tournament: { guid: made.cup.guid } },
    ])
    expect(outcome(await claim(token, user))).toEqual([409, 'claim.conflict'])
    expect((await teamOf(made)).captain.guid).toBe(made.person)
  })

  test('by several at once is won by one', async () => {
    const made = await entered()
    const tokens = [await tokenOf(made), await tokenOf(made)]
    const users = await Promise.all(Array.from({ length: 6 }, () => person()))
    const replies = await Promise.all(users.map((user, index) => claim(tokens[index % 2] ?? '', user)))
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 404, 404, 404, 404, 404])
    const winner = users[replies.findIndex(({ status }) => status === 200)]
    expect((await teamOf(made)).captain.guid).toBe(winner?.guid)
  })

  test('of two people of one tournament by one account at once gives one of them', async () => {
    const made = await entered()
    const [, longa] = (await teamOf(made)).members
    const tokens = [await tokenOf(made), await tokenOf({ ...made, person: longa.user.guid })]
    const user = await person()
    const replies = await Promise.all(tokens.map((token) => claim(token, user)))
    expect(replies.map((reply) => outcome(reply)[1]).sort()).toEqual(['claim.conflict', null])
  })
})

describe('taking a claim back', () => {
  async function claimed(): Promise<Made & { readonly user: Caller; readonly guid: string; readonly token: string }> {
    const made = await entered()
    const [user, token] = [await person(), await tokenOf(made)]
    return { ...made, user, token, guid: (await claim(token, user)).body.guid }
  }

  test('gives the placeholder its places back, and the account keeps its own', async () => {
    const made = await claimed()
    const elsewhere = await makeTournament(api, organiser)
    await api.post(`/tournaments/${elsewhere.guid}/teams`, made.user, { captainId: made.user.guid, teamName: 'Own' })
    const reply = await undo(made.guid)
    expect([reply.status, reply.body.undoneAt]).toEqual([200, expect.any(String)])
    const team = await teamOf(made)
    expect(team.captain).toMatchObject({ guid: made.person, isPlaceholder: true, preferredName: 'Breve' })
    expect(team.members).toHaveLength(2)
    expect((await api.get(`/users/${made.user.guid}/card`)).body.tournamentsPlayed).toBe(0)
    const [own] = (await api.get(`/tournaments/${elsewhere.guid}/teams`)).body.teams
    expect(own.captain.guid).toBe(made.user.guid)
    expect(outcome(await undo(made.guid))).toEqual([409, 'claim.undone'])
    expect(outcome(await claim(made.token, made.user))).toEqual([404, 'claim.unknown'])
    expect((await claim(await tokenOf(made), await person())).status).toBe(200)
  })

  test('is for the organiser and global managers, not for the person', async () => {
    const made = await claimed()
    expect((await undo(made.guid, null)).status).toBe(401)
    expect(outcome(await undo(made.guid, made.user))).toEqual([403, 'role.missing'])
    expect(outcome(await undo(made.person, organiser))).toEqual([404, 'claim.unknown'])
    const manager = await api.user({ globalRoles: ['global:tournaments:manage'] })
    expect((await undo(made.guid, manager)).status).toBe(200)
  })

  test('is too late after 14 days', async () => {
    const made = await claimed()
    await api.sql("update claims set created_at = created_at - interval '14 days' where guid = $1", [made.guid])
    expect(outcome(await undo(made.guid))).toEqual([409, 'claim.too_late'])
  })

  test('by several at once happens once', async () => {
    const made = await claimed()
    const replies = await Promise.all([undo(made.guid), undo(made.guid), undo(made.guid)])
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409, 409])
  })

  test('takes the captaincy from the account at once', async () => {
    const made = await claimed()
    const rename = (name: string) =>
      api.patch(`/tournaments/${made.cup.guid}/teams/${made.team}/members/${made.user.guid}`, made.user, { name })
    expect((await api.get(`/tournaments/${made.cup.guid}/teams/${made.team}/invitations`, made.user)).status).toBe(200)
    await undo(made.guid)
    expect((await api.get(`/tournaments/${made.cup.guid}/teams/${made.team}/invitations`, made.user)).status).toBe(403)
    expect((await rename('x')).status).not.toBe(200)
  })
})
