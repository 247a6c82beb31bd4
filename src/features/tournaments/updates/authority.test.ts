import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Caller, type Harness, outcome, startHarness } from '../../../../test/harness.ts'
import { grantRole, type MadeTournament, makeTournament, roleHolder } from '../../../../test/make.ts'
import { type PublishBody, publish as publishTo } from '../../../../test/updates.ts'
import { tournamentRoles } from '../../../core/roles.ts'

/** Who may post updates, and what other users see. */

let api: Harness
let organiser: Caller
let tournament: MadeTournament
beforeAll(async () => {
  api = await startHarness()
  organiser = await api.user()
  tournament = await makeTournament(api, organiser)
})
afterAll(() => api[Symbol.asyncDispose]())

const pathOf = (of: MadeTournament) => `/tournaments/${of.guid}/updates`

const publish = (body: PublishBody = {}, as = organiser, to = tournament) =>
  publishTo(api, { tournament: to, organiser: as }, body)

async function published(body: PublishBody = {}, to = tournament): Promise<{ guid: string }> {
  const reply = await publish(body, organiser, to)
  expect(outcome(reply)).toEqual([201, null])
  return reply.body.update
}

const edit = (guid: string, body: object, as: Caller | null = organiser, of = tournament) =>
  api.patch(`${pathOf(of)}/${guid}`, as, body)
const remove = (guid: string, body: object = { expectedUpdatedAt: null }, as: Caller | null = organiser) =>
  api.delete(`${pathOf(tournament)}/${guid}`, as, body)
const list = (of: MadeTournament, query = '', as: Caller | null = null) => api.get(`${pathOf(of)}${query}`, as)
const listed = async (guid: string) =>
  (await list(tournament, '?limit=50')).body.updates.find((update: { guid: string }) => update.guid === guid)

describe('who may', () => {
  const acts = async (as: Caller | null) => {
    const { guid } = await published()
    const replies = [
      await publish({}, (as ?? { token: '' }) as Caller),
      await edit(guid, { content: 'x', expectedUpdatedAt: null }, as),
      await api.post(`${pathOf(tournament)}/${guid}/chat`, as),
      await remove(guid, { expectedUpdatedAt: as === null ? null : ((await listed(guid)).updatedAt ?? null) }, as),
    ]
    return replies.map(outcome)
  }
  const allowed = [
    [201, null],
    [200, null],
    [404, 'update.chat_not_requested'],
    [200, null],
  ]
  const refused = Array(4).fill([403, 'role.missing'])

  test.each(tournamentRoles.map((role) => [role] as const))('%s', async (role) => {
    const may = role === 'role:admin' || role === 'role:staff'
    expect(await acts(await roleHolder(api, tournament, role))).toEqual(may ? allowed : refused)
  })

  test('the organiser and global managers, and nobody else', async () => {
    expect(await acts(organiser)).toEqual(allowed)
    for (const role of ['global:tournaments:manage', 'role:dev', 'role:owner'] as const) {
      expect(await acts(await api.user({ globalRoles: [role] }))).toEqual(allowed)
    }
    expect(await acts(await api.user({ globalRoles: ['global:notices:manage'] }))).toEqual(refused)
    expect(await acts(await api.user())).toEqual(refused)
    const elsewhere = await api.user()
    await grantRole(api, await makeTournament(api, organiser), elsewhere, 'role:staff')
    expect(await acts(elsewhere)).toEqual(refused)
  })

  test('nobody without a token, or with one that may only read', async () => {
    const { guid } = await published()
    const calls = (token: string | null) =>
      Promise.all([
        api.call('POST', pathOf(tournament), { token, body: {} }),
        api.call('PATCH', `${pathOf(tournament)}/${guid}`, { token, body: {} }),
        api.call('DELETE', `${pathOf(tournament)}/${guid}`, { token, body: {} }),
        api.call('POST', `${pathOf(tournament)}/${guid}/chat`, { token }),
      ])
    const readOnly = await api.token(organiser, ['rest:read'])
    expect((await calls(null)).map(outcome)).toEqual(Array(4).fill([401, 'token.missing']))
    expect((await calls(readOnly)).map(outcome)).toEqual(Array(4).fill([401, 'scope.missing']))
  })

  test('nobody of a hidden tournament, who cannot tell it from one that does not exist', async () => {
    const draft = await makeTournament(api, organiser, { status: 'draft' })
    const { guid } = await published({}, draft)
    const outsider = await api.user()
    for (const as of [null, outsider]) {
      expect(outcome(await list(draft, '', as))).toEqual([404, 'tournament.unknown'])
    }
    expect(outcome(await publish({}, outsider, draft))).toEqual([404, 'tournament.unknown'])
    expect(outcome(await edit(guid, {}, outsider, draft))).toEqual([404, 'tournament.unknown'])
    expect((await list(draft, '', organiser)).body.updates).toHaveLength(1)
    const caster = await roleHolder(api, draft, 'role:caster')
    expect((await list(draft, '', caster)).body).toEqual({ updates: [expect.anything()], nextCursor: null })
  })
})
