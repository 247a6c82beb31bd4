import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { strayEvent } from '../../../../test/event-log.ts'
import { type Caller, type Harness, startHarness } from '../../../../test/harness.ts'
import { makeApplication } from '../../../../test/make.ts'
import { allTold, messagesOf } from '../../../../test/notifications.ts'
import { nobody } from '../../../../test/world.ts'
import { emit } from '../../../infra/events/emit.ts'

/** Notifications about the security of an account, including those that its holder caused. */

let api: Harness
beforeAll(async () => {
  api = await startHarness()
})
afterAll(() => api[Symbol.asyncDispose]())

type Members = Readonly<Record<string, unknown>>
const happen = (type: string, subject: string, actor: string | null, after: Members, service = api) =>
  service.app.database.transaction(async (tx) => emit(tx, strayEvent({ type, subject, actor, after })))
const granted = (user: Caller, after: Members) => happen('application.granted', user.guid, user.guid, after)
const reused = (user: Caller, after: Members) => happen('token.reused', user.guid, null, after)
const messages = (user: Caller) => messagesOf(api, user)

const secure =
  'If this was not you, end that in the list of your sign-ins, with every sign-in there that is not yours, and change the password of the chat account that you sign in with.'
const ifReused =
  ' was used a second time, so somebody may have copied it. Nothing that was given for it works any more. If you use this application, let it in again. If you do not, or this happens again, end what it was granted in the list of your sign-ins and tell those who make it.'

describe('what is told', () => {
  test('of an application that was let in: its name and what it may, though it was the user who did it', async () => {
    const [user, owner] = [await api.user(), await api.user()]
    const { clientId } = await makeApplication(api, owner, { name: 'Overlay Studio' })
    await granted(user, { clientId, scopes: ['rest:user:read', 'ws:read'] })
    expect(await messages(user)).toEqual([
      {
        type: 'application.granted',
        title: 'Your account now lets Overlay Studio act for you',
        body: `It may: See your own profile and account; Follow live what you can see. ${secure}`,
        data: { clientId },
      },
    ])
    expect(await messages(owner)).toEqual([])
  })

  test.each([
    ['code', 'The code that let it in'],
    ['refresh_token', 'A token that keeps it signed in'],
    ['device_code', 'The code that let it in on a device'],
  ])('of the second use of a %s: that the access was ended, and what to do', async (kind, words) => {
    const [user, owner] = [await api.user(), await api.user()]
    const { clientId } = await makeApplication(api, owner, { name: 'Overlay Studio' })
    await reused(user, { clientId, kind })
    expect(await messages(user)).toEqual([
      {
        type: 'token.reused',
        title: 'The access of Overlay Studio to your account was ended',
        body: words + ifReused,
        data: { clientId },
      },
    ])
    expect(await messages(owner)).toEqual([])
  })

  test('of an application that is gone meanwhile, all but its name', async () => {
    const user = await api.user()
    await granted(user, { clientId: nobody, scopes: ['rest:write'] })
    await reused(user, { clientId: nobody, kind: 'refresh_token' })
    const received = await messages(user)
    expect(received.map(({ title, data }) => [title, data])).toEqual([
      ['The access of an application to your account was ended', { clientId: nobody }],
      ['Your account now lets an application act for you', { clientId: nobody }],
    ])
    expect(received[1]?.body).toContain('It may: See and change everything that you can, your own account included. If')
  })

  test('of an application under the name that it has when the message is made, as plain text', async () => {
    const user = await api.user()
    const { clientId } = await makeApplication(api, user, { name: '<b>Studio</b> & Sons' })
    await granted(user, { clientId, scopes: [] })
    await allTold(api)
    await api.sql(`update applications set name = 'Renamed' where client_id = $1`, [clientId])
    const [message] = await messages(user)
    expect([message?.title, message?.body]).toEqual(['Your account now lets <b>Studio</b> & Sons act for you', secure])
  })

  test('of what a user took back, nothing', async () => {
    const user = await api.user()
    const { clientId } = await makeApplication(api, user)
    await api.token(user, ['rest:read'], { clientId, clientSecret: null })
    expect((await api.delete(`/users/@me/sessions/${clientId}`, user)).status).toBe(204)
    expect(await api.sql(`select 1 from event_log where type = 'application.revoked'`)).toHaveLength(1)
    expect(await messages(user)).toEqual([])
  })

  test('to nobody but whom it is about, and not to accounts that were given up', async () => {
    const [user, other, left, reader] = [await api.user(), await api.user(), await api.user(), await api.user()]
    const { clientId } = await makeApplication(api, other)
    await api.sql('update users set anonymised_at = now() where guid = $1', [left.guid])
    for (const subject of [user.guid, left.guid, nobody]) {
      for (const actor of [null, other.guid, subject]) {
        await happen('application.granted', subject, actor, { clientId, scopes: ['rest:read'] })
        await happen('token.reused', subject, actor, { clientId, kind: 'code' })
        await happen('sign_in.new_place', subject, actor, { sessionGuid: nobody, userAgent: null })
      }
    }
    expect(await messages(user)).toHaveLength(9)
    for (const caller of [other, reader]) expect(await messages(caller)).toEqual([])
    expect(await api.sql('select 1 from notifications where user_guid = any($1)', [[left.guid, nobody]])).toEqual([])
  })
})

test('a service that is stopped in the midst of telling goes on where it was, and tells each once', async () => {
  await using first = await startHarness()
  const user = await first.user()
  const { clientId } = await makeApplication(first, user, { name: 'Overlay Studio' })
  const scopes = ['rest:read']
  const emitting = Array.from({ length: 40 }, (_, index) =>
    index % 2
      ? happen('token.reused', user.guid, null, { clientId, kind: 'code' }, first)
      : happen('application.granted', user.guid, user.guid, { clientId, scopes }, first),
  )
  await Promise.all(emitting)
  await first.app.close()
  await using second = await first.sibling()
  await happen('sign_in.new_place', user.guid, null, { sessionGuid: nobody, userAgent: null }, second)
  await allTold(second)
  const counts = await second.sql(
    'select type, count(*)::int from notifications where user_guid = $1 group by 1 order by 1',
    [user.guid],
  )
  expect(counts).toEqual([
    { type: 'application.granted', count: 20 },
    { type: 'sign_in.new_place', count: 1 },
    { type: 'token.reused', count: 20 },
  ])
})
