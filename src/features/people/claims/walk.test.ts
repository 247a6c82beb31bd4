import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Harness, startHarness } from '../../../../test/harness.ts'
import { touch } from '../../../../test/make.ts'
import { addressOf, makeWorld } from '../../../../test/world.ts'
import { operations } from '../../../app.ts'

/** What a placeholder does in every answer, before and after somebody takes it over. (additions: People who are not here yet) */

let api: Harness
beforeAll(async () => {
  api = await startHarness()
})
afterAll(() => api[Symbol.asyncDispose]())

/** Answers that tell of the past, or of what only somebody who was signed in can have done. */
const ofThePast: Readonly<Record<string, string>> = {
  'users.byRankingId': 'only who has signed in proves a ranking account',
  'streamSessions.list': 'only who has signed in has a stream key',
  'admin.listStreamSessions': 'only who has signed in has a stream key',
}

test('every answer that named the placeholder names the account, and no search finds it', async () => {
  const world = await makeWorld(api)
  const { owner, member, tournament } = world
  // The member of the team becomes somebody who has never signed in.
  await api.sql(
    `update users set is_placeholder = true, chat_platform_id = 'placeholder:' || guid, made_by_tournament_guid = $2 where guid = $1`,
    [member.guid, tournament.guid],
  )
  await touch(api, member.guid, tournament.guid)
  const reads = operations.filter(
    ({ kind, path, ownCredentials, name }) =>
      kind === 'query' &&
      ownCredentials === undefined &&
      !/@me|:user\b|:placeholder|:claimToken|:member\b/.test(path) &&
      name !== 'events.follow',
  )
  const walk = async () => {
    const texts = new Map<string, string>()
    for (const operation of reads) {
      const reply = await api.get(addressOf(operation, world), owner)
      if (reply.status === 200) texts.set(operation.name, reply.text)
    }
    return texts
  }
  const before = await walk()
  const naming = [...before].filter(([, text]) => text.includes(member.guid)).map(([name]) => name)
  expect(naming).toEqual(expect.arrayContaining(['teams.list', 'teams.read']))
  for (const name of ['users.list', 'search.search', 'users.search']) expect(naming).not.toContain(name)
  for (const text of before.values()) expect(text).not.toContain('placeholder:')

  const link = await api.post(`/users/${member.guid}/claimLinks`, world.organiser, { tournament: tournament.guid })
  const user = await api.user({ name: 'semibreve', scopes: ['rest:user:write', 'rest:user:read'] })
  const claimed = await api.post(`/claims/${link.body.token}`, user)
  expect([claimed.status, claimed.text]).toEqual([200, expect.any(String)])

  const after = await walk()
  const left = naming.filter((name) => after.get(name)?.includes(member.guid) !== false)
  expect(left).toEqual(Object.keys(ofThePast))
  expect(naming.filter((name) => !left.includes(name) && after.get(name)?.includes(user.guid) !== true)).toEqual([])
  const held = (await api.get('/users/@me/export', user)).body.held
  expect(held.teams.records).toHaveLength(1)
  expect(held.claims.records).toMatchObject([{ placeholderGuid: member.guid }])
})
